// case:   parameter packs of coroutine templates: expansions, folds, captures, sizeof..., one to no elements
// expect: ~ # n0 | ~ # n0 | a0 s30 w70 f0 b2 l2 | ~ # n0 | a0 s30 w70 f0 b2 l2 | t2 ~ # alive0 ~ # n1 | ~ # n1 | a1
// expect: s50 | ~ # n1 | a1 s50 | w80 | ~ # n1 | a1 s50 | w80 | f1 | ~ # n1 | a1 s50 | w80 | f1 | c1 | ~ # n1 | a1
// expect: s50 | w80 | f1 | c1 | b2 d1 l94 | ~ # n1 | a1 s50 | w80 | f1 | c1 | b2 d1 l94 | t95 ~ # alive0 ~ # n3 | ~ #
// expect: n3 | a102 s1080 | ~ # n3 | a102 s1080 | | ~ # n3 | a102 s1080 | | | ~ # n3 | a102 s1080 | | | w1090 | ~ #
// expect: n3 | a102 s1080 | | | w1090 | | ~ # n3 | a102 s1080 | | | w1090 | | | ~ # n3 | a102 s1080 | | | w1090 | | |
// expect: f102 | ~ # n3 | a102 s1080 | | | w1090 | | | f102 | c3 | ~ # n3 | a102 s1080 | | | w1090 | | | f102 | c3 |
// expect: c2 | ~ # n3 | a102 s1080 | | | w1090 | | | f102 | c3 | c2 | c97 | ~ # n3 | a102 s1080 | | | w1090 | | |
// expect: f102 | c3 | c2 | c97 | | ~ # n3 | a102 s1080 | | | w1090 | | | f102 | c3 | c2 | c97 | | b3 d3 d2 d97 l4337
// expect: | ~ # n3 | a102 s1080 | | | w1090 | | | f102 | c3 | c2 | c97 | | b3 d3 d2 d97 l4337 | t4340 ~ # alive0 ~ #
// expect: o0 | ~ # o0 | r2 | ~ # o0 | r2 | +5 m5 -5 k0 ~ # alive0 +7 ~ # o7 | ~ # o7 | r14 c7 | ~ -7 # o7 | r14 c7 |
// expect: +5 m12 -5 -7 | ~ # o7 | r14 c7 | +5 m12 -5 -7 | +8 k8 -8 ~ # alive1 ~ # o14 | ~ # o14 | r98 c7 c7 | ~ -7 -7
// expect: # o14 | r98 c7 c7 | +5 m19 -5 -7 -7 | ~ # o14 | r98 c7 c7 | +5 m19 -5 -7 -7 | +8 | ~ -8 # o14 | r98 c7 c7 |
// expect: +5 m19 -5 -7 -7 | +8 | +8 k16 -8 -8 ~ # alive1 ~ # +100 | ~ -100 # +100 | s1 -100 ~ # alive1 +2 m2 -2 ~ -2
// expect: # +2 m2 -2 +100 | ~ -100 -2 # +2 m2 -2 +100 | | ~ -100 -2 # +2 m2 -2 +100 | | s3 -100 ~ -2 # alive1 +2 m2
// expect: m2 -2 -2 ~ -2 # +2 m2 m2 -2 -2 +100 | ~ -100 -2 # +2 m2 m2 -2 -2 +100 | | ~ -100 -2 # +2 m2 m2 -2 -2 +100 |
// expect: | | ~ -100 -2 # +2 m2 m2 -2 -2 +100 | | | | ~ -100 -2 # +2 m2 m2 -2 -2 +100 | | | | | ~ -100 -2 # +2 m2 m2
// expect: -2 -2 +100 | | | | | s11 -100 ~ -2 # alive1 ~ # j0 ~ # alive1 ~ # | ~ # | i4 | ~ # | i4 | j90 | ~ # | i4 |
// expect: j90 | ~ # alive1 ~ # | ~ # | i4 | ~ # | i4 | i5 | ~ # | i4 | i5 | i6 | ~ # | i4 | i5 | i6 | | ~ # | i4 | i5
// expect: | i6 | | | ~ # | i4 | i5 | i6 | | | j330 | ~ # | i4 | i5 | i6 | | | j330 | | ~ # | i4 | i5 | i6 | | | j330
// expect: | | | ~ # | i4 | i5 | i6 | | | j330 | | | ~ # alive1 | | ~ # | ~ # | n1 | n2 | n3 | | ~ # | n1 | n2 | n3 |
// expect: | ~ # alive1 -7
#include "case.hpp"
#include <tuple>
static int sum() { return 0; }
template <class T, class... Ts> int sum(const T& t, const Ts&... ts) { return static_cast<int>(t) * 10 + sum(ts...); }
static int id(const Trace& t) { return t.id; }
static int id(int i) { return i; }
template <class... Ts> VoidJob values(Ts... xs) {
  say("n", static_cast<int>(sizeof...(xs)));
  co_await Pause{sum(xs...)};
  int a = (0 + ... + static_cast<int>(xs));
  say("a", a);
  say("s", sum(1, (xs + 1)..., 2));
  say("w", sum((co_await Pause{static_cast<int>(xs)})..., 7));
  say("f", (0 + ... + (co_await Pause{static_cast<int>(xs)})));
  (say("c", co_await Pause{static_cast<int>(xs)}), ...);
  bool all = ((xs != 0) && ...), any = (... || (co_await Pause{static_cast<int>(xs)} == 2));
  say("b", all * 2 + any);
  (say("d", static_cast<int>(xs)), ...);
  ((xs = xs + 1), ...);
  auto l = [xs..., &all] { return sum(xs...) + all; };
  auto m = [...ys = xs + 1, a] { return sum(ys..., a); };
  auto k = [&] { return sum(xs..., sizeof...(xs)); };
  auto c = [=] { return (1 + ... + static_cast<int>(xs)); };
  say("l", l() + m() + k() + c());
  std::tuple<Ts...> t(xs...);
  co_await Pause{0};
  say("t", static_cast<int>(std::tuple_size_v<decltype(t)>) + l() + m() + k() + c());
}
template <class... Ts> VoidJob objects(Ts&&... xs) {
  say("o", (id(xs) + ... + 0));
  int r = (id(static_cast<Ts&&>(xs)) * ... * (co_await Pause{2}));
  say("r", r);
  auto make = [](auto&&... as) { return (as.id + ... + 0); };
  say("m", make(Trace(static_cast<Ts&&>(xs))..., Trace(co_await Pause{5})));
  say("k", make(Trace(id(xs) + (co_await Pause{1}))...));
}
template <class... Ts> VoidJob taken(int n, Ts... xs) {
  Trace own(100);
  if constexpr (sizeof...(xs) > 1) co_await Pause{n};
  int s = 0;
  for (int i : {id(xs)..., n}) { s += i; co_await Pause{0}; }
  say("s", s);
}
template <int... Is> VoidJob numbers() {
  (say("i", co_await Pause{Is}), ...);
  say("j", sum(Is..., (co_await Pause{Is + 1})...));
  (co_await Pause{Is}, ...);
}
template <class... Ts> VoidJob unnamed(Ts...) { co_await Pause{static_cast<int>(sizeof...(Ts))}; }
struct Rest { VoidJob* j; };
template <class... Ts> VoidJob recursive(int n, Ts... rest) {
  co_await Pause{n};
  say("n", n);
  if constexpr (sizeof...(rest) > 0) {
    VoidJob next = recursive(rest...);
    next.run();
    co_await Pause{0};
  }
}
int main() {
  at_each_suspension([] { return values(); });
  at_each_suspension([] { return values(1); });
  at_each_suspension([] { return values(3, 2L, 'a'); });
  at_each_suspension([] { return objects(); });
  Trace t(7);
  at_each_suspension([&] { return objects(t); });
  at_each_suspension([&] { return objects(t, t); });
  at_each_suspension([&] { return taken(1); });
  at_each_suspension([&] { return taken(1, Trace(2)); });
  at_each_suspension([&] { Trace a(2); return taken(1, static_cast<Trace&&>(a), 5, 3); });
  at_each_suspension([] { return numbers<>(); });
  at_each_suspension([] { return numbers<4>(); });
  at_each_suspension([] { return numbers<4, 5, 6>(); });
  unnamed().run(); unnamed(1, 2).run();
  at_each_suspension([] { return recursive(1, 2, 3); });
}

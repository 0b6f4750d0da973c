// case:   packs in types, in nested expansions, beside one another, in macros
// expect: ~ # | ~ # | t2 u3 h12 n425431 e2122121 m1 m2 | ~ # | t2 u3 h12 n425431 e2122121 m1 m2 | p1 | ~ # | t2 u3
// expect: h12 n425431 e2122121 m1 m2 | p1 | p2 i1 i2 i2 i3 | ~ # | t2 u3 h12 n425431 e2122121 m1 m2 | p1 | p2 i1 i2
// expect: i2 i3 | yes c12132 s7 | ~ # | t2 u3 h12 n425431 e2122121 m1 m2 | p1 | p2 i1 i2 i2 i3 | yes c12132 s7 | a4 |
// expect: ~ # | t2 u3 h12 n425431 e2122121 m1 m2 | p1 | p2 i1 i2 i2 i3 | yes c12132 s7 | a4 | +9 +1 +2 z12 -2 -1 -9 ~
// expect: # alive0 ~ # | ~ # | t0 u1 h0 n40 e0 c2 s0 | ~ # | t0 u1 h0 n40 e0 c2 s0 | a6 | ~ # | t0 u1 h0 n40 e0 c2 s0
// expect: | a6 | +9 z10 -9 ~ # alive0 ~ # | ~ # | t1 u2 h21 n15737 e973267 m97 | ~ # | t1 u2 h21 n15737 e973267 m97 |
// expect: p97 i97 i98 | ~ # | t1 u2 h21 n15737 e973267 m97 | p97 i97 i98 | yes c1364 s9410 | ~ # | t1 u2 h21 n15737
// expect: e973267 m97 | p97 i97 i98 | yes c1364 s9410 | a99 | ~ # | t1 u2 h21 n15737 e973267 m97 | p97 i97 i98 | yes
// expect: c1364 s9410 | a99 | +9 +97 z11 -97 -9 ~ # alive0
#include "case.hpp"
#include <tuple>
#define EACH(f, ...) (f(__VA_ARGS__), ...)
static int sum() { return 0; }
template <class T, class... Ts> int sum(const T& t, const Ts&... ts) { return static_cast<int>(t) + 10 * sum(ts...); }
template <class... As> struct Holder { template <class... Bs> static int count(Bs...) { return static_cast<int>(sizeof...(As) * 10 + sizeof...(Bs)); } };
template <class... Ts, class... Us> VoidJob both(Holder<Us...>, Ts... xs) {
  co_await Pause{0};
  std::tuple<decltype(xs)...> t{xs...};
  say("t", static_cast<int>(std::tuple_size_v<decltype(t)>));
  {
    std::tuple<decltype(xs)..., int> u{xs..., 3};
    say("u", static_cast<int>(std::tuple_size_v<decltype(u)>));
  }
  say("h", Holder<Us...>::count(xs...));
  say("n", sum(sum(xs, xs...)..., sum(xs...), xs..., 4));
  say("e", sum(xs..., xs..., Us(2)..., xs...));
  EACH(say, "m", static_cast<int>(xs));
  EACH(say, "p", co_await Pause{static_cast<int>(xs)});
  for (int i = 0; i < 2; ++i) (say("i", static_cast<int>(xs) + i), ...);
  if ((static_cast<bool>(xs) || ...) && (co_await Pause{1} == 1 || (xs && ...))) say("yes");
  auto call = [&](auto&&... as) { return (static_cast<int>(as) + ... + static_cast<int>(sizeof...(xs))) + sum(as..., 1); };
  say("c", call(xs..., xs...) + call());
  auto scaled = [&](Ts... by) { return (static_cast<int>(xs * by) + ... + 0) + static_cast<int>(sizeof...(by)); };
  say("s", scaled(xs...));
  int all[] = {static_cast<int>(xs)..., co_await Pause{5}};
  say("a", all[0] + static_cast<int>(sizeof all / sizeof *all));
  Trace traces[] = {Trace(co_await Pause{9}), Trace(static_cast<int>(xs))...};
  say("z", static_cast<int>(sizeof traces / sizeof *traces) + traces->id);
}
int main() {
  at_each_suspension([] { return both(Holder<int>{}, 1, 2L); });
  at_each_suspension([] { return both(Holder<>{}); });
  at_each_suspension([] { return both(Holder<int, char>{}, 'a'); });
}

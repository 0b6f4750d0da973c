// case:   parameter packs in lambdas that are coroutines, in members and class templates; elements of types without a name
// expect: ~ # | ~ # | f4 | ~ # | f4 | f5 s7 | ~ # | f4 | f5 s7 | k7 ~ # alive0 | f4 s3 | k3 ~ # +9 | c8 | x1 | x2 | |
// expect: r11 | ~ -9 # +9 | c8 | x1 | x2 | | r11 | | | y5 | | p3 end5 -9 ~ # alive0 +9 | c5 r9 | y0 p0 end0 -9 ~ # |
// expect: ~ # | e11 | ~ # | e11 | e107 ~ # alive0 ~ # | ~ # | b53 z7 z14 | ~ # | b53 z7 z14 | q9 | ~ # | b53 z7 z14 |
// expect: q9 | q18 ~ # alive0 | b30 z0 z0 | q2 | q4 | b2 ~ # | ~ # | o3 | ~ # | o3 | m1 | ~ # | o3 | m1 | m2 ~ #
// expect: alive0 ~ # | ~ # | o10 | ~ # | o10 | m8 | ~ # | o10 | m8 | m9 ~ # alive0 | o0 ~ # | ~ # | g1 ~ # alive0 ~ #
// expect: | ~ # | g6 ~ # alive0 alive0
#include "case.hpp"
template <class F, class... Ts> auto call(F&& f, Ts&&... ts) { return static_cast<F&&>(f)(static_cast<Ts&&>(ts)...); }
template <class... Fs> VoidJob all(Fs... fs) {
  (say("f", fs() + co_await Pause{1}), ...);
  say("s", (call(static_cast<Fs&&>(fs)) + ... + 0));
  auto kept = [... own = static_cast<Fs&&>(fs)] { return (own() + ... + 0); };
  co_await Pause{0};
  say("k", kept());
}
template <class... Ts> VoidJob nested(Ts... xs) {
  Trace own(9);
  auto by_copy = [xs...](int n) -> VoidJob {
    co_await Pause{n};
    say("c", (xs + ... + n));
    (say("x", co_await Pause{xs}), ...);
  };
  auto by_reference = [&]() -> VoidJob {
    ((xs += co_await Pause{1}), ...);
    say("r", static_cast<int>(sizeof...(xs)) + own.id);
  };
  auto made = [... ys = xs + 1]() -> VoidJob { say("y", (co_await Pause{ys} + ... + 0)); };
  auto packed = [](Ts... as) -> VoidJob { say("p", (0 + ... + (co_await Pause{as}))); };
  VoidJob a = by_copy(5), b = by_reference(), c = made(), d = packed(xs...);
  a.run(), b.run();
  co_await Pause{0};
  c.run(), d.run();
  say("end", (xs + ... + 0));
}
template <class... Ts> struct Box {
  int base;
  VoidJob each(Ts... xs) {
    (say("e", base + co_await Pause{static_cast<int>(xs)}), ...);
  }
  template <class... Us> VoidJob both(Ts... xs, Us... us) {
    say("b", (xs + ... + 0) * (us + ... + 0) + co_await Pause{base} + static_cast<int>(sizeof...(Ts) * 10 + sizeof...(us)));
    (say("z", xs * (us + ... + 0)), ...);
    (say("q", call([&](auto... as) { return (as + ... + 0) * xs; }, us..., co_await Pause{2})), ...);
  }
};
template <class... Ts> auto outside(Ts... xs) {
  return [xs...](auto... more) -> VoidJob {
    co_await Pause{static_cast<int>(sizeof...(more))};
    say("o", (xs + ... + 0) + (more + ... + 0));
    (say("m", co_await Pause{xs + (more + ... + 0)}), ...);
  };
}
static auto generic = [](auto first, auto... rest) -> VoidJob {
  say("g", first + co_await Pause{(rest + ... + 0)});
};
int main() {
  int n = 3;
  at_each_suspension([=] { return all([n] { return n; }, [] { return 4; }); });
  all([n] { return n; }).run();
  at_each_suspension([] { return nested(1, 2); });
  nested().run();
  Box<int, char> box{10};
  at_each_suspension([&] { return box.each(1, 'a'); });
  at_each_suspension([&] { return box.both(1, 2, 3, 4); });
  box.both(1, 2).run();
  Box<> none{1};
  none.each().run(); none.both(5).run();
  auto f = outside(1, 2);
  at_each_suspension([&] { return f(); });
  at_each_suspension([&] { return f(3, 4); });
  outside()().run();
  at_each_suspension([] { return generic(1); });
  at_each_suspension([] { return generic(1L, 2, 3); });
  say("alive", Trace::alive);
}

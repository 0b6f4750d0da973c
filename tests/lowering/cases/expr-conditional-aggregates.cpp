// case:   aggregates, new and extended temporaries inside ?:, && and ||: destroyed at each suspension, and by exceptions
// expect: ~ # +3 | ~ -3 # +3 | +4 +7 | ~ -7 -4 -3 # +3 | +4 +7 | +8 +9 -9 -8 -7 b1 -4 -3 ~ # alive0 +3 | +4 +7 | +8
// expect: +9 -9 -8 -7 b1 -4 -3 +3 | +4 +7 | +8 +9 -9 -8 -7 b1 -4 -3 +3 | +4 +7 | +8 +9 -9 -8 -7 b1 -4 -3 +3 -3
// expect: caught4 +3 | +4 +7 | +8 +9 -9 -8 -7 b1 -4 -3 +3 | +4 +7 | +8 +9 -9 -8 -7 b1 -4 -3 +3 | +4 +7 | +8 +9 -9 -8
// expect: -7 b1 -4 -3 +3 | +4 +7 -7 -4 -3 caught8 ~ # | ~ # | +1 +2 +5 | ~ -5 -2 -1 # | +1 +2 +5 | +6 -6 -5 b1 -2 -1
// expect: ~ # alive0 caught1 | +1 +2 +5 | +6 -6 -5 b1 -2 -1 | +1 +2 +5 | +6 -6 -5 b1 -2 -1 | +1 +2 +5 | +6 -6 -5 b1
// expect: -2 -1 | +1 +2 +5 | +6 -6 -5 b1 -2 -1 | +1 +2 +5 -5 -2 -1 caught6 | +1 +2 +5 | +6 -6 -5 b1 -2 -1 | +1 +2 +5
// expect: | +6 -6 -5 b1 -2 -1 ~ # +2 | ~ -2 # +2 | +7 | ~ -7 -2 # +2 | +7 | -7 -2 ~ # alive0 +2 | +7 | -7 -2 +2 | +7
// expect: | -7 -2 +2 | +7 | -7 -2 +2 | -2 caught4 +2 | +7 | -7 -2 +2 | +7 | -7 -2 +2 | +7 | -7 -2 +2 | +7 | -7 -2 ~ #
// expect: | ~ # | +1 | ~ -1 # | +1 | -1 ~ # alive0 caught1 | +1 | -1 | +1 | -1 | +1 | -1 | +1 | -1 | +1 | -1 | +1 |
// expect: -1 | +1 | -1 ~ # +2 +5 +6 -6 -5 | ~ -2 # +2 +5 +6 -6 -5 | x6 | ~ -2 # +2 +5 +6 -6 -5 | x6 | x8 -2 ~ #
// expect: alive0 +2 +5 +6 -6 -5 | x6 | x8 -2 caught2 +2 +5 +6 -6 -5 | x6 | x8 -2 +2 +5 +6 -6 -5 | x6 | x8 -2 +2 -2
// expect: caught5 +2 +5 +6 -6 -5 | x6 | x8 -2 +2 +5 +6 -6 -5 | x6 | x8 -2 +2 +5 +6 -6 -5 | x6 | x8 -2 ~ # | ~ # | +1
// expect: | ~ -1 # | +1 | +3 +5 +6 -6 -5 -3 | ~ -1 # | +1 | +3 +5 +6 -6 -5 -3 | x4 | ~ -1 # | +1 | +3 +5 +6 -6 -5 -3
// expect: | x4 | x7 -1 ~ # alive0 | +1 | +3 +5 +6 -6 -5 -3 | x4 | x7 -1 | +1 | +3 +5 +6 -6 -5 -3 | x4 | x7 -1 | +1 |
// expect: +3 +5 +6 -6 -5 -3 | x4 | x7 -1 | +1 | +3 +5 +6 -6 -5 -3 | x4 | x7 -1 | +1 | +3 -3 -1 caught5 | +1 | +3 +5
// expect: +6 -6 -5 -3 | x4 | x7 -1 | +1 | +3 +5 +6 -6 -5 -3 | x4 | x7 -1 | +1 | +3 +5 +6 -6 -5 -3 | x4 | x7 -1 alive0
#include "case.hpp"
struct Two { Trace first, second; };
struct Nested { Two two; Trace third; };
struct Owner { Trace* p; ~Owner() { delete p; } };
static int fail(int n, int v) { if (n == v) throw v; return n; }
static int sum(const Two& t) { return t.first.id + t.second.id; }
VoidJob aggregates(bool c, int v) {
  try {
    Two t = c ? Two{Trace(co_await Pause{fail(1, v)}), Trace(2)} : Two{Trace(3), Trace(co_await Pause{fail(4, v)})};
    bool b = (c && sum({Trace(5), Trace(co_await Pause{fail(6, v)})}) == 11) || Nested{{Trace(7), Trace(co_await Pause{fail(8, v)})}, Trace(9)}.two.first.id;
    say("b", b);
  } catch (int n) { say("caught", n); }
}
VoidJob made(bool c, int v) {
  try {
    Owner p = {c ? new Trace(co_await Pause{fail(1, v)}) : new Trace(2)};
    Owner q = {c ? nullptr : new Trace((co_await Pause{3}) + fail(4, v))};
    co_await Pause{0};
  } catch (int n) { say("caught", n); }
}
VoidJob extended(bool c, int v) {
  try {
    const Trace& e = c ? Trace(co_await Pause{1}) : Trace(fail(2, v));
    for (int x : {c ? Trace(co_await Pause{3}).id : 4, Two{Trace(fail(5, v)), Trace(6)}.second.id}) {
      co_await Pause{0};
      say("x", x + e.id);
    }
  } catch (int n) { say("caught", n); }
}
int main() {
  for (auto f : {aggregates, made, extended})
    for (int c = 0; c < 2; ++c) {
      at_each_suspension([f, c] { return f(c, 0); });
      for (int v = 1; v < 9; ++v) f(c, v).run();
    }
  say("alive", Trace::alive);
}

// case:   ?: with void, lvalue and throwing arms, nested
// expect: ~ # | ~ # | | ~ # | | ab115 | ~ # | | ab115 | | ~ # | | ab115 | | c3 +7 t7 | ~ -7 # | | ab115 | | c3
// expect: +7 t7 | r1 +9 | ~ -9 -7 # | | ab115 | | c3 +7 t7 | r1 +9 | sum10 -9 -7 ~ # alive0 ~ # | ~ # | | ~ #
// expect: | | ab1502 n1 n4 c4 | ~ # | | ab1502 n1 n4 c4 | +6 t6 r1 +8 | ~ -8 -6 # | | ab1502 n1 n4 c4 | +6 t6
// expect: r1 +8 | sum9 -8 -6 ~ # alive0 ~ # | ~ # | | ~ # | | ab1502 n1 | ~ # | | ab1502 n1 | c5 | ~ # | |
// expect: ab1502 n1 | c5 | +6 t6 r1 +8 | ~ -8 -6 # | | ab1502 n1 | c5 | +6 t6 r1 +8 | sum9 -8 -6 ~ # alive0
#include "case.hpp"
static int note(int v) { say("n", v); return v; }
VoidJob body(int which) {
  int a = 1, b = 2;
  (which ? a : b) = co_await Pause{10};
  ((co_await Pause{which}) ? a : b) += 5;
  say("ab", a * 100 + b);
  which ? (void)note(1) : (void)co_await Pause{2};
  int c = which == 0 ? co_await Pause{3} : which == 1 ? note(4) : co_await Pause{5};
  say("c", c);
  Trace t = which ? Trace(co_await Pause{6}) : Trace(7);
  say("t", t.id);
  const Trace& r = which ? t : (co_await PauseRef<Trace>{t});
  say("r", &r == &t);
  say("sum", (which ? Trace(8) : Trace(9)).plus(co_await Pause{1}));
}
int main() {
  for (int i = 0; i < 3; ++i) at_each_suspension([i] { return body(i); });
}

// case:   suspensions inside cases, fall through, break, default in the middle
// expect: +0 | zero | +10 | one -10 end -0 # +1 | +10 | one -10 end -1 # +2 | | default three | end -2 # +3 |
// expect: three | end -3 # +4 | -4 # +5 | -5 # ~ # +0 | ~ -0 # +0 | zero | ~ -0 # +0 | zero | +10 | ~ -10 -0 #
// expect: +0 | zero | +10 | one -10 end -0 ~ # alive0
#include "case.hpp"
VoidJob body(int v) {
  Trace t(v);
  switch (co_await Pause{v}) {
  case 0:
    say("zero");
    co_await Pause{0};
    [[fallthrough]];
  case 1: {
    Trace u(10);
    co_await Pause{0};
    say("one");
    break;
  }
  default:
    co_await Pause{0};
    say("default");
  case 3:
    say("three");
    co_await Pause{0};
    break;
  case 4:
  case 5: co_return;
  }
  say("end");
}
int main() {
  for (int v = 0; v < 6; ++v) { VoidJob j = body(v); j.run(); say("#"); }
  at_each_suspension([] { return body(0); });
}

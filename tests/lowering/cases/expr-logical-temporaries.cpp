// case:   temporaries of the right operand of && and
// 
// live to the end of the full-expression
// expect: ~ # | ~ # | +4 -4 r0 | ~ # | +4 -4 r0 | +6 -6 ~ # alive0 ~ # +1 | ~ -1 # +1 | -1 r1 +7 | ~ -7 # +1 |
// expect: -1 r1 +7 | -7 yes | ~ # +1 | -1 r1 +7 | -7 yes | +8 -8 ~ # alive0
#include "case.hpp"
VoidJob body(bool left) {
  bool r = (left && Trace(1).plus(co_await Pause{2}) == 3) || Trace(co_await Pause{4}).id == 5;
  say("r", r);
  if ((left || Trace(co_await Pause{6}).id == 0) && Trace(7).id == co_await Pause{7}) say("yes");
  while (left && co_await Pause{1}) left = Trace(8).id == 0;
}
int main() {
  at_each_suspension([] { return body(false); });
  at_each_suspension([] { return body(true); });
}

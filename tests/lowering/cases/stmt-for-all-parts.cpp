// case:   init, condition and increment of a for loop all suspend; continue goes to the increment
// expect: ~ # | ~ # | +0 | ~ -0 # | +0 | +10 body0 -10 | ~ -0 # | +0 | +10 body0 -10 | | ~ -1 # | +0 | +10
// expect: body0 -10 | | +11 -11 | ~ -1 # | +0 | +10 body0 -10 | | +11 -11 | | ~ -2 # | +0 | +10 body0 -10 | |
// expect: +11 -11 | | +12 body2 -12 | ~ -2 # | +0 | +10 body0 -10 | | +11 -11 | | +12 body2 -12 | | ~ -3 # |
// expect: +0 | +10 body0 -10 | | +11 -11 | | +12 body2 -12 | | -3 end ~ # alive0
#include "case.hpp"
VoidJob body() {
  for (Trace i(co_await Pause{0}); i.id < co_await Pause{3}; i.id += co_await Pause{1}) {
    Trace t(10 + i.id);
    if (i.id == 1) continue;
    say("body", i.id);
  }
  say("end");
}
int main() { at_each_suspension(body); }

// case:   destroy() at every suspension point of a loop with temporaries
// expect: ~ # +0 +10 +20 | ~ -20 -10 -0 # +0 +10 +20 | -20 +30 | ~ -30 -10 -0 # +0 +10 +20 | -20 +30 | | ~ -30
// expect: -10 -0 # +0 +10 +20 | -20 +30 | | -30 +40 | ~ -40 -10 -0 # +0 +10 +20 | -20 +30 | | -30 +40 | +50 |
// expect: ~ -50 -40 -10 -0 # +0 +10 +20 | -20 +30 | | -30 +40 | +50 | p90 -50 -40 -10 +11 +20 | ~ -20 -11 -1 #
// expect: +0 +10 +20 | -20 +30 | | -30 +40 | +50 | p90 -50 -40 -10 +11 +20 | -20 +40 | ~ -40 -11 -1 # +0 +10
// expect: +20 | -20 +30 | | -30 +40 | +50 | p90 -50 -40 -10 +11 +20 | -20 +40 | +50 | ~ -50 -40 -11 -1 # +0
// expect: +10 +20 | -20 +30 | | -30 +40 | +50 | p90 -50 -40 -10 +11 +20 | -20 +40 | +50 | p90 -50 -40 -11 -2 ~
// expect: # alive0
#include "case.hpp"
VoidJob body() {
  for (Trace i(0); i.id < 2; ++i.id) {
    Trace t(10 + i.id);
    while (Trace(20).plus(co_await Pause{i.id}) == 20) { Trace u(30); co_await Pause{0}; if (t.plus(co_await Pause{1}) == 11) break; }
    say("p", Trace(40).plus(co_await Pause{0}) + Trace(50).plus(co_await Pause{0}));
  }
}
int main() { at_each_suspension(body); }

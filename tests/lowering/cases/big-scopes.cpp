// case:   many nested scopes with objects, destroyed at every depth
// expect: ~ # +1 | ~ -1 # +1 | +2 | ~ -2 -1 # +1 | +2 | +3 | ~ -3 -2 -1 # +1 | +2 | +3 | +4 | ~ -4 -3 -2 -1 #
// expect: +1 | +2 | +3 | +4 | +5 | ~ -5 -4 -3 -2 -1 # +1 | +2 | +3 | +4 | +5 | +6 +7 | ~ -7 -6 -5 -4 -3 -2 -1
// expect: # +1 | +2 | +3 | +4 | +5 | +6 +7 | -7 -6 | ~ -5 -4 -3 -2 -1 # +1 | +2 | +3 | +4 | +5 | +6 +7 | -7 -6
// expect: | -5 +8 | ~ -8 -4 -3 -2 -1 # +1 | +2 | +3 | +4 | +5 | +6 +7 | -7 -6 | -5 +8 | -8 -4 +9 | ~ -9 -3 -2
// expect: -1 # +1 | +2 | +3 | +4 | +5 | +6 +7 | -7 -6 | -5 +8 | -8 -4 +9 | -9 +10 | ~ -10 -3 -2 -1 # +1 | +2 |
// expect: +3 | +4 | +5 | +6 +7 | -7 -6 | -5 +8 | -8 -4 +9 | -9 +10 | -10 -3 | ~ -2 -1 # +1 | +2 | +3 | +4 | +5
// expect: | +6 +7 | -7 -6 | -5 +8 | -8 -4 +9 | -9 +10 | -10 -3 | -2 -1 ~ # alive0
#include "case.hpp"
VoidJob body() {
  Trace a(1); co_await Pause{0};
  { Trace b(2); co_await Pause{0};
    { Trace c(3); co_await Pause{0};
      { Trace d(4); co_await Pause{0};
        { Trace e(5); co_await Pause{0};
          { Trace f(6), g(7); co_await Pause{0}; }
          co_await Pause{0}; }
        Trace h(8); co_await Pause{0}; }
      for (int i = 0; i < 2; ++i) { Trace j(9 + i); if (co_await Pause{i}) break; } }
    co_await Pause{0}; } }
int main() { at_each_suspension(body); }

// case:   storage of sibling scopes is shared without mixing their objects
// expect: ~ # +1 | ~ -1 # +1 | a1 -1 +2 +3 | ~ -3 -2 # +1 | a1 -1 +2 +3 | b5 +4 | ~ -4 -3 -2 # +1 | a1 -1 +2
// expect: +3 | b5 +4 | -4 d -3 -2 | ~ # +1 | a1 -1 +2 +3 | b5 +4 | -4 d -3 -2 | x2 +1 | ~ -1 # +1 | a1 -1 +2
// expect: +3 | b5 +4 | -4 d -3 -2 | x2 +1 | a2 -1 +2 +3 | ~ -3 -2 # +1 | a1 -1 +2 +3 | b5 +4 | -4 d -3 -2 | x2
// expect: +1 | a2 -1 +2 +3 | b5 +4 | ~ -4 -3 -2 # +1 | a1 -1 +2 +3 | b5 +4 | -4 d -3 -2 | x2 +1 | a2 -1 +2 +3
// expect: | b5 +4 | -4 d -3 -2 | ~ # +1 | a1 -1 +2 +3 | b5 +4 | -4 d -3 -2 | x2 +1 | a2 -1 +2 +3 | b5 +4 | -4
// expect: d -3 -2 | x2 ~ # alive0
#include "case.hpp"
VoidJob body() {
  for (int i = 0; i < 2; ++i) {
    { Trace a(1); int big[8] = {i}; co_await Pause{0}; say("a", a.id + big[0]); }
    { Trace b(2), c(3); co_await Pause{0}; say("b", b.id + c.id); { Trace d(4); co_await Pause{0}; } say("d"); }
    { double x = 0.5; co_await Pause{0}; say("x", static_cast<int>(x * 4)); }
  }
}
int main() { at_each_suspension(body); }

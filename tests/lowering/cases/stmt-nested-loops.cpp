// case:   break and continue of nested loops with objects in each scope
// expect: ~ # +0 +10 -10 +11 | ~ -11 -0 # +0 +10 -10 +11 | +20 | ~ -20 -11 -0 # +0 +10 -10 +11 | +20 | -20 -11
// expect: +12 -12 i0 -0 +1 +10 | ~ -10 -1 # +0 +10 -10 +11 | +20 | -20 -11 +12 -12 i0 -0 +1 +10 | -10 -1 +2
// expect: +10 | ~ -10 -2 # +0 +10 -10 +11 | +20 | -20 -11 +12 -12 i0 -0 +1 +10 | -10 -1 +2 +10 | +20 | ~ -20
// expect: -10 -2 # +0 +10 -10 +11 | +20 | -20 -11 +12 -12 i0 -0 +1 +10 | -10 -1 +2 +10 | +20 | -20 -10 +11 | ~
// expect: -11 -2 # +0 +10 -10 +11 | +20 | -20 -11 +12 -12 i0 -0 +1 +10 | -10 -1 +2 +10 | +20 | -20 -10 +11 |
// expect: +20 | ~ -20 -11 -2 # +0 +10 -10 +11 | +20 | -20 -11 +12 -12 i0 -0 +1 +10 | -10 -1 +2 +10 | +20 | -20
// expect: -10 +11 | +20 | -20 -11 +12 -12 i2 -2 ~ # alive0
#include "case.hpp"
VoidJob body() {
  for (int i = 0; i < 3; ++i) {
    Trace a(i);
    for (int j = 0;; ++j) {
      Trace b(10 + j);
      if (j == 2) break;
      if (i == 1) { co_await Pause{0}; break; }
      if (j == i) continue;
      co_await Pause{0};
      while (true) {
        Trace c(20);
        if (co_await Pause{1}) break;
      }
    }
    if (i == 1) continue;
    say("i", i);
  }
}
int main() { at_each_suspension(body); }

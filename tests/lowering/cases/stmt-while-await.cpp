// case:   the condition of while awaits; temporaries go before the body
// expect: ~ # +0 | ~ -0 # +0 | -0 +10 | ~ -10 # +0 | -0 +10 | -10 +1 | ~ -1 # +0 | -0 +10 | -10 +1 | -1 +11 |
// expect: ~ -11 # +0 | -0 +10 | -10 +1 | -1 +11 | -11 +2 | ~ -2 # +0 | -0 +10 | -10 +1 | -1 +11 | -11 +2 | -2
// expect: n2 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int n = 0;
  while (Trace(n).plus(co_await Pause{1}) < 3) {
    Trace t(10 + n);
    co_await Pause{0};
    if (++n == 2) continue;
  }
  say("n", n);
}
int main() { at_each_suspension(body); }

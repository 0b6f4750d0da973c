// case:   goto backwards, also out of a scope with objects
// expect: ~ # +0 | ~ -0 # +0 | -0 +1 | ~ -1 # +0 | -0 +1 | -1 +2 | ~ -2 # +0 | -0 +1 | -1 +2 | -2 end ~ #
// expect: alive0
#include "case.hpp"
VoidJob body() {
  int n = 0;
again:
  {
    Trace t(n);
    co_await Pause{0};
    if (++n < 3) goto again;
  }
  say("end");
}
int main() { at_each_suspension(body); }

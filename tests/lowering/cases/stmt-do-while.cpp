// case:   do while with awaits in body and condition, break and continue
// expect: ~ # +0 | ~ -0 # +0 | n0 -0 | ~ # +0 | n0 -0 | +1 -1 | ~ # +0 | n0 -0 | +1 -1 | +2 | ~ -2 # +0 | n0
// expect: -0 | +1 -1 | +2 | n2 -2 | ~ # +0 | n0 -0 | +1 -1 | +2 | n2 -2 | +3 | ~ -3 # +0 | n0 -0 | +1 -1 | +2
// expect: | n2 -2 | +3 | -3 | ~ # +0 | n0 -0 | +1 -1 | +2 | n2 -2 | +3 | -3 | end3 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int n = 0;
  do {
    Trace t(n);
    if (n == 1) continue;
    co_await Pause{0};
    if (n == 3) break;
    say("n", n);
  } while (++n < co_await Pause{5});
  do co_await Pause{0}; while (false);
  say("end", n);
}
int main() { at_each_suspension(body); }

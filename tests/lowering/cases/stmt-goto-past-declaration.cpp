// case:   goto into a block past a variable without an initializer, whose bytes are a sibling scope's before
// expect: ~ # +1 | ~ -1 # +1 | a1 -1 | ~ # +1 | a1 -1 | n7 +2 | ~ -2 # +1 | a1 -1 | n7 +2 | a2 -2 | ~ #
// expect: +1 | a1 -1 | n7 +2 | a2 -2 | n8 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int round = 0;
again:
  ++round;
  {
    Trace a(round);
    co_await Pause{0};
    say("a", a.id);
  }
  if (round > 0) goto inside;
  {
    int n;
    n = 3;
  inside:
    n = 6 + round;
    co_await Pause{0};
    say("n", n);
  }
  if (round < 2) goto again;
}
int main() { at_each_suspension(body); }

// case:   goto from statements that do not suspend themselves
// expect: +1 +2 -2 +3 -3 | out -1 # +1 +2 -2 other | out -1 # +1 +2 -2 +3 -3 +4 -4 | other | out -1 #
#include "case.hpp"
VoidJob body(int v) {
  Trace t(1);
  for (int i = 0; i < 3; ++i) {
    Trace u(2 + i);
    if (i == v) goto out;
    switch (v) {
    case 7: goto other;
    default: break;
    }
  }
  co_await Pause{0};
other:
  say("other");
out:
  co_await Pause{0};
  say("out");
}
int main() {
  for (int v : {1, 7, 9}) { VoidJob j = body(v); j.run(); say("#"); }
}

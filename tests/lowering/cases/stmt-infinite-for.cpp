// case:   for (;;) left by break and by co_return
// expect: +1 +2 | -2 +2 | -2 after -1 # +1 +2 | -2 -1
#include "case.hpp"
VoidJob body(int limit) {
  Trace outer(1);
  for (;;) {
    Trace t(2);
    if (co_await Pause{1} && --limit == 1) break;
    if (limit == 0) co_return;
  }
  say("after");
}
int main() {
  { VoidJob j = body(3); j.run(); }
  say("#");
  { VoidJob j = body(1); j.run(); }
}

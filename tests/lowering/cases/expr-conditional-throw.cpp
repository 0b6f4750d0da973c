// case:   an arm of ?: that throws
// expect: +1 -1 unhandled +1 | v2 | v3 | +4 u4 -4 -1
#include "case.hpp"
VoidJob body(bool fail) {
  Trace t(1);
  int v = fail ? throw 1 : co_await Pause{2};
  say("v", v);
  v = !fail ? co_await Pause{3} : throw 2;
  say("v", v);
  Trace u = fail ? throw 3 : Trace(co_await Pause{4});
  say("u", u.id);
}
int main() {
  { VoidJob j = body(true); j.run(); }
  { VoidJob j = body(false); j.run(); }
}

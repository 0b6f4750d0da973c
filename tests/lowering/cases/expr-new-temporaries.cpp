// case:   new with temporaries in its initializer, before a suspension
// expect: ~ # +1 +1 w1 -1 | ~ -1 # +1 +1 w1 -1 | s3 -1 +4 +5 w5 -5 | ~ -4 # +1 +1 w1 -1 | s3 -1 +4 +5 w5 -5 | s6 -4 caught ~ #
// expect: alive0
#include "case.hpp"
int own(Trace* t) { int n = t->id; say("w", n); delete t; return n; }
struct Thrower { operator int() const { throw 1; } };
VoidJob body(int a) {
  say("s", own(new Trace(Trace(a).id)) + co_await Pause{2});
  say("s", own(new Trace{Trace(4).plus(a)}) + co_await Pause{a});
  try { say("s", own(new Trace(Thrower())) + co_await Pause{2}); } catch (int) { say("caught"); }
}
int main() { at_each_suspension([] { return body(1); }); }

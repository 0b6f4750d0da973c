// case:   try blocks without suspensions stay as they are
// expect: +1 +2 -2 | e7 -1 value7 +1 +2 -2 caught5 -1 value5 +1 +2 -2 -1 value6
#include "case.hpp"
Job body(int v) {
  Trace t(1);
  try {
    Trace u(2);
    if (v == 1) throw 5;
    if (v == 2) co_return 6;
  } catch (int e) {
    say("caught", e);
    if (v == 1) co_return e;
  }
  int r = co_await Pause{7};
  try { throw r; } catch (int e) { say("e", e); }
  co_return r;
}
int main() { for (int v = 0; v < 3; ++v) { Job j = body(v); j.run(); say("value", j.h.promise().value); } }

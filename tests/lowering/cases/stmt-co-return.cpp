// case:   co_return out of loops, switches and scopes
// expect: +1 +2 | +3 -3 -2 -1 value3 +1 +2 | -2 +2 | | +5 -5 -2 -1 value9 +1 +2 | +6 -6 -2 +2 | +6 -6 -2 -1
// expect: value0
#include "case.hpp"
Job body(int v) {
  Trace a(1);
  for (int i = 0;; ++i) {
    Trace b(2);
    switch (co_await Pause{v}) {
    case 0: co_return Trace(3).plus(i);
    case 1: if (i == 1) co_return co_await Pause{4} + Trace(5).id; break;
    default: { Trace c(6); if (i) { co_return {}; } }
    }
  }
}
int main() {
  for (int v = 0; v < 3; ++v) { Job j = body(v); j.run(); say("value", j.h.promise().value); }
}

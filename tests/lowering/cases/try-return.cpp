// case:   co_return inside a try block that suspends
// expect: +1 | -1 value4 +1 | -1 value3
#include "case.hpp"
Job body(bool fail) {
  try {
    Trace t(1);
    co_await Pause{0};
    if (fail) throw 3;
    co_return 4;
  } catch (int e) {
    co_return e;
  }
}
int main() { for (bool f : {false, true}) { Job j = body(f); j.run(); say("value", j.h.promise().value); } }

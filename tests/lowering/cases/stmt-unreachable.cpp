// case:   code that nothing reaches is lowered like other code
// expect: ~ # | ~ # | value1 ~ # alive0
#include "case.hpp"
Job body(int a) {
  co_return co_await Pause{a};
  say("never", a < 9 ? a : co_await Pause{a});
  say("never", a && (co_await PauseFor<Trace>{Trace(1)}).id);
  Trace t(co_await Pause{a} ? co_await Pause{2} : 3);
  while (a) co_await Pause{t.id};
  try {
    Trace u(co_await Pause{1});
  } catch (...) {
    say("never");
  }
}
int main() {
  at_each_suspension([] {
    struct Valued {
      Job j = body(1);
      bool step() {
        const bool more = j.step();
        if (!more) say("value", j.h.promise().value);
        return more;
      }
    };
    return Valued();
  });
}

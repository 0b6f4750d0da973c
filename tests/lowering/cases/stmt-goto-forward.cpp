// case:   goto forwards, out of several scopes and past code that suspends
// expect: ~ # +1 +2 +10 | ~ -10 -2 -1 # +1 +2 +10 | -10 +11 -11 -2 done | ~ -1 # +1 +2 +10 | -10 +11 -11 -2
// expect: done | -1 ~ # alive0 +1 +2 +10 | -10 +11 | -11 +12 | -12 | inner -2 between done | -1 +1 +2 +10 |
// expect: -10 +11 | -11 +12 | -12 never skipped | inner -2 between done | -1
#include "case.hpp"
VoidJob body(int v) {
  Trace outer(1);
  {
    Trace inner(2);
    for (int i = 0; i < 3; ++i) {
      Trace t(10 + i);
      if (i == v) goto done;
      co_await Pause{0};
    }
    if (v == 5) goto skip;
    say("never skipped");
  skip:
    co_await Pause{0};
    say("inner");
  }
  say("between");
done:
  say("done");
  co_await Pause{0};
}
int main() {
  at_each_suspension([] { return body(1); });
  { VoidJob j = body(5); j.run(); }
  { VoidJob j = body(9); j.run(); }
}

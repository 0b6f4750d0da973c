// case:   an exception out of nested scopes destroys what is alive, in reverse, and reaches the promise
// expect: +1 +2 | +3 +4 | -4 +5 | use5 -5 -3 -2 +2 | +3 +4 | -4 +5 | use5 -5 -3 -2 -1 done1 +1 +2 | +3 -3 -2
// expect: -1 unhandled done1 +1 +2 | +3 +4 | -4 +5 | use5 -5 -3 -2 +2 | +3 +4 | -4 -3 -2 -1 unhandled done1 +1
// expect: +2 | +3 +4 | -4 +5 -5 -3 -2 -1 unhandled done1 alive0
#include "case.hpp"
static int fail(int n) { if (n) throw n; return 0; }
VoidJob body(int v) {
  Trace a(1);
  for (int i = 0; i < 2; ++i) {
    Trace b(2);
    co_await Pause{0};
    Trace c(3);
    fail(v == 1);
    {
      Trace d(4);
      co_await Pause{0};
      fail(v == 2 && i == 1);
    }
    say("use", Trace(5).plus(co_await Pause{fail(v == 3)}));
  }
}
int main() { for (int v = 0; v < 4; ++v) { VoidJob j = body(v); j.run(); say("done", j.h.done()); } say("alive", Trace::alive); }

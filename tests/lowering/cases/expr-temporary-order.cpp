// case:   temporaries of a full-expression are destroyed in reverse, also at each suspension inside it
// expect: ~ # +1 +2 | ~ -2 -1 # +1 +2 | +4 | ~ -4 -2 -1 # +1 +2 | +4 | +6 r20 -6 -4 -2 +7 +8 | ~ -8 -7 -1 # +1
// expect: +2 | +4 | +6 r20 -6 -4 -2 +7 +8 | +10 s34 -10 -8 -7 -1 ~ # alive0
#include "case.hpp"
static int use(const Trace& a, int b, const Trace& c, int d, const Trace& e) { return a.id + b + c.id + d + e.id; }
VoidJob body() {
  Trace local(1);
  say("r", use(Trace(2), co_await Pause{3}, Trace(4), co_await Pause{5}, Trace(6)));
  say("s", Trace(7).id + Trace(8).plus(co_await Pause{9}) + Trace(10).id);
}
int main() { at_each_suspension(body); }

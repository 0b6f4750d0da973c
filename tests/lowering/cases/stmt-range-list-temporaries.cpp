// case:   a range-for over a list whose elements make temporaries; only the body suspends
// expect: ~ # +3 +8 -8 | ~ -3 # +3 +8 -8 | b7 | ~ -3 # +3 +8 -8 | b7 | b1 +8 x -8 | ~ -3 # +3 +8 -8 | b7 | b1 +8 x -8
// expect: | b1 | ~ -3 # +3 +8 -8 | b7 | b1 +8 x -8 | b1 | b1 +20 +21 c3 -20 | ~ -3 -21 -3 # +3 +8 -8 | b7 | b1 +8 x
// expect: -8 | b1 | b1 +20 +21 c3 -20 | b21 | ~ -3 -21 -3 # +3 +8 -8 | b7 | b1 +8 x -8 | b1 | b1 +20 +21 c3 -20 | b21
// expect: | b3 -3 -21 -3 ~ # alive0 +3 +8 +47 c3 -3 -47 -8 | b7 | b1 +47 c3 x -3 -47 | b0 | b1 +20 +21 c3 -20 | b21 |
// expect: b3 -3 -21 -3 alive0
#include "case.hpp"
static int use(const Trace& t, int n, const Trace& u) { return t.id + n + u.id; }
static int ids(std::initializer_list<Trace> l) { int s = 0; for (auto& t : l) s = s * 10 + t.id; return s; }
VoidJob body(int z) {
  Trace t(3);
  for (int b : {+7, +(use(t, 8, Trace(8)) - 19 * z || ids({Trace(47), t}))}) { co_await Pause{b}; say("b", b); }
  for (bool b : {z ? ids({Trace(47), t}) == 3 : use(t, 8, Trace(8)) == 19, (say("x"), true)}) { co_await Pause{b}; say("b", b); }
  for (const Trace& b : {Trace(Trace(20).id + 1), t}) { co_await Pause{0}; say("b", b.id); }
}
int main() { at_each_suspension([] { return body(0); }); body(1).run(); say("alive", Trace::alive); }

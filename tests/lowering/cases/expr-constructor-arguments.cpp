// case:   awaits among constructor arguments beside temporaries
// expect: ~ # | ~ # | +2 | ~ -2 # | +2 | pair -2 p6 +5 | ~ -5 ~pair # | +2 | pair -2 p6 +5 | pair ~pair -5 s6
// expect: | ~ ~pair # | +2 | pair -2 p6 +5 | pair ~pair -5 s6 | +8 pair -8 q7 ~pair ~pair ~ # alive0
#include "case.hpp"
struct Pair {
  int a, b, c;
  Pair(int x, const Trace& t, int y) : a(x), b(t.id), c(y) { say("pair"); }
  ~Pair() { say("~pair"); }
};
VoidJob body() {
  Pair p(co_await Pause{1}, Trace(2), co_await Pause{3});
  say("p", p.a + p.b + p.c);
  const int sum = Pair(4, Trace(5), co_await Pause{6}).c;
  say("s", sum);
  Pair q = Pair(co_await Pause{7}, Trace(8), 9);
  say("q", q.a);
}
int main() { at_each_suspension(body); }

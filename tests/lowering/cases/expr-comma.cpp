// case:   built-in and overloaded comma
// expect: ~ # n1 | ~ # n1 | n3 a3 | ~ # n1 | n3 a3 | comma2 n3 comma3 c6 +4 | ~ -4 # n1 | n3 a3 | comma2 n3
// expect: comma3 c6 +4 | +6 -6 -4 ij3 | ~ # n1 | n3 a3 | comma2 n3 comma3 c6 +4 | +6 -6 -4 ij3 | ij12 | ~ # n1
// expect: | n3 a3 | comma2 n3 comma3 c6 +4 | +6 -6 -4 ij3 | ij12 | ~ # alive0
#include "case.hpp"
struct Chain {
  int n;
  Chain operator,(int v) const { say("comma", v); return {n + v}; }
};
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  int a = (note(1), co_await Pause{2}, note(3));
  say("a", a);
  Chain c = (Chain{1}, co_await Pause{2}, note(3));
  say("c", c.n);
  (void)(Trace(4), co_await Pause{5}, Trace(6));
  for (int i = 0, j = 3; i < j; ++i, co_await Pause{0}, --j) say("ij", i * 10 + j);
}
int main() { at_each_suspension(body); }

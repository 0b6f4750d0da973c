// case:   a closure temporary called beside suspensions
// expect: ~ # +1 | ~ -1 # +1 | a6 c1 | ~ -1 -1 # +1 | a6 c1 | b7 -1 | ~ -1 # +1 | a6 c1 | b7 -1 | c8 -1 ~ #
// expect: alive0
#include "case.hpp"
VoidJob body() {
  Trace t(1);
  int n = 2;
  say("a", [&](int k) { return t.id + n + k; }(co_await Pause{3}));
  say("b", [t, n](int k) { return t.id + n + k; }(co_await Pause{4}));
  say("c", [=, &t] { return t.id + n; }() + co_await Pause{5});
}
int main() { at_each_suspension(body); }

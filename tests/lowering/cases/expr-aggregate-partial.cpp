// case:   destroy() while an aggregate is half built destroys the finished members, in reverse
// expect: ~ # +1 | ~ -1 # +1 | +2 | ~ -2 -1 # +1 | +2 | a6 +4 | ~ -4 -2 -1 # +1 | +2 | a6 +4 | +5 | ~ -5 -4 -2
// expect: -1 # +1 | +2 | a6 +4 | +5 | +7 b13 -7 -5 -4 -2 -1 ~ # alive0
#include "case.hpp"
struct Two { Trace first, second; int n; };
struct Nested { Two two; Trace third; };
VoidJob body() {
  Two a{Trace(1), Trace(co_await Pause{2}), co_await Pause{3}};
  say("a", a.first.id + a.second.id + a.n);
  Nested b{{Trace(4), Trace(co_await Pause{5}), 6}, Trace(co_await Pause{7})};
  say("b", b.two.n + b.third.id);
}
int main() { at_each_suspension(body); }

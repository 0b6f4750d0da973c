// case:   if with init statements and condition declarations, else chains
// flags:  -Wno-dangling-else
// expect: ~ # +0 | ~ -0 # +0 | +10 | ~ -10 -0 # +0 | +10 | | ~ -10 -0 # +0 | +10 | | else10 -10 -0 +20 | ~ -20
// expect: # +0 | +10 | | else10 -10 -0 +20 | -20 | ~ # +0 | +10 | | else10 -10 -0 +20 | -20 | empty ~ # alive0
// expect: ~ # +1 | ~ -1 # +1 | | ~ -1 # +1 | | then1 -1 | ~ # +1 | | then1 -1 | b +20 | ~ -20 # +1 | | then1
// expect: -1 | b +20 | -20 | ~ # +1 | | then1 -1 | b +20 | -20 | ~ # alive0
#include "case.hpp"
VoidJob body(int v) {
  if (Trace t(v); int k = co_await Pause{t.id}) {
    co_await Pause{0};
    say("then", k);
  } else if (Trace u(10 + k); u.id == co_await Pause{10}) {
    co_await Pause{0};
    say("else", u.id);
  }
  if (v)
    if (co_await Pause{0}) say("a"); else say("b");
  if (const Trace& r = Trace(20); r.id == 20) co_await Pause{0};
  if (co_await Pause{v}) ; else say("empty");
}
int main() {
  at_each_suspension([] { return body(0); });
  at_each_suspension([] { return body(1); });
}

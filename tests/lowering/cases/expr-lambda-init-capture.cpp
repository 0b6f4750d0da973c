// case:   awaits in init captures
// expect: ~ # | ~ # | +5 | ~ -5 # | +5 | f9 | ~ -5 # | +5 | f9 | | ~ -5 # | +5 | f9 | | g13 -5 ~ # alive0
#include "case.hpp"
VoidJob body() {
  auto f = [v = co_await Pause{4}, t = Trace(5)] { return v + t.id; };
  co_await Pause{0};
  say("f", f());
  say("g", [w = co_await Pause{6}](int n) { return w + n; }(co_await Pause{7}));
}
int main() { at_each_suspension(body); }

// case:   references that keep temporaries alive across suspensions
// expect: ~ # +1 | ~ -1 # +1 | | ~ -1 # +1 | | +2 +3 +4 | ~ -4 -3 -2 -1 # +1 | | +2 +3 +4 | +5 | ~ -5 -4 -3 -2
// expect: -1 # +1 | | +2 +3 +4 | +5 | | ~ -5 -4 -3 -2 -1 # +1 | | +2 +3 +4 | +5 | | sum18 +7 | ~ -7 -5 -4 -3
// expect: -2 -1 # +1 | | +2 +3 +4 | +5 | | sum18 +7 | inner7 -7 end -5 -4 -3 -2 -1 ~ # alive0
#include "case.hpp"
struct Pair { Trace first, second; };
static Trace make(int n) { return Trace(n); }
VoidJob body() {
  const Trace& a = make(1);
  co_await Pause{0};
  Trace&& b = Trace(co_await Pause{2});
  const Trace& member = Pair{Trace(3), Trace(4)}.second;
  auto&& c = make(co_await Pause{5});
  const int& n = co_await Pause{6};
  co_await Pause{0};
  say("sum", a.id + b.id + member.id + c.id + n);
  { const Trace& inner = Trace(7); co_await Pause{0}; say("inner", inner.id); }
  say("end");
}
int main() { at_each_suspension(body); }

// case:   array elements built around suspensions
// expect: ~ # +1 | ~ -1 # +1 | +2 | ~ -2 -1 # +1 | +2 | +3 sum6 | ~ -3 -2 -1 # +1 | +2 | +3 sum6 | | ~ -3 -2
// expect: -1 # +1 | +2 | +3 sum6 | | n15 t1 t2 t3 -3 -2 -1 ~ # alive0
#include "case.hpp"
VoidJob body() {
  Trace list[3] = {Trace(1), Trace(co_await Pause{2}), Trace(co_await Pause{3})};
  say("sum", list[0].id + list[1].id + list[2].id);
  int numbers[] = {co_await Pause{4}, 5, co_await Pause{6}};
  say("n", numbers[0] + numbers[1] + numbers[2]);
  for (const Trace& t : list) say("t", t.id);
}
int main() { at_each_suspension(body); }

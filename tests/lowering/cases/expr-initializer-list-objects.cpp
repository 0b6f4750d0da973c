// case:   an initializer_list of objects across a suspension
// expect: ~ # +1 +2 | ~ -2 -1 # +1 +2 | t1 t2 +3 +4 | ~ -4 -3 -2 -1 # +1 +2 | t1 t2 +3 +4 | u3 | ~ -4 -3 -2 -1
// expect: # +1 +2 | t1 t2 +3 +4 | u3 | u4 -4 -3 -2 -1 ~ # alive0
#include "case.hpp"
#include <initializer_list>
VoidJob body() {
  std::initializer_list<Trace> kept = {Trace(1), Trace(2)};
  co_await Pause{0};
  for (const Trace& t : kept) say("t", t.id);
  for (const Trace& t : {Trace(3), Trace(4)}) {
    co_await Pause{0};
    say("u", t.id);
  }
}
int main() { at_each_suspension(body); }

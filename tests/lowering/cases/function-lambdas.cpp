// case:   coroutine lambdas: captures are reached through the closure object
// expect: +2 c2 | v1 | r14 | c6 | k1 | k2 | e14 -2 -2
#include "case.hpp"
#include <functional>
int main() {
  int n = 1;
  Trace t(2);
  auto none = [](int v) -> VoidJob { co_await Pause{0}; say("v", v); };
  auto by_reference = [&](int v) -> VoidJob { co_await Pause{0}; say("r", v + n + t.id); };
  auto by_value = [n, t](int v) -> VoidJob { co_await Pause{0}; say("c", v + n + t.id); };
  auto counter = [k = 0]() mutable -> VoidJob { co_await Pause{0}; say("k", ++k); };
  std::function<VoidJob(int)> erased = [&](int v) -> VoidJob { co_await Pause{0}; say("e", v + n); };
  { VoidJob j = none(1); j.run(); }
  { VoidJob j = by_reference(2); n = 10; j.run(); }
  { VoidJob j = by_value(3); j.run(); }
  { VoidJob j = counter(), k = counter(); j.run(); k.run(); }
  { VoidJob j = erased(4); j.run(); }
}

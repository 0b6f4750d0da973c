// case:   structured bindings of aggregates, arrays and tuples across suspensions
// expect: ~ # +2 +6 m6 -6 | ~ -6 -2 # +2 +6 m6 -6 | sum22 | ~ -6 -2 # +2 +6 m6 -6 | sum22 | | ~ -6 -2 # +2 +6
// expect: m6 -6 | sum22 | | mn78 -6 -2 ~ # alive0
#include "case.hpp"
#include <tuple>
struct Pair { int a; Trace t; };
VoidJob body() {
  auto [a, t] = Pair{1, Trace(2)};
  int list[2] = {3, 4};
  auto& [x, y] = list;
  const auto& [p, q] = std::make_tuple(5, Trace(6));
  co_await Pause{0};
  x += a;
  y += p;
  say("sum", a + t.id + list[0] + list[1] + q.id);
  auto [m, n] = co_await PauseFor<std::pair<int, int>>{{7, 8}};
  co_await Pause{0};
  say("mn", m * 10 + n);
}
int main() { at_each_suspension(body); }

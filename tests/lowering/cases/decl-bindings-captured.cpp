// case:   structured bindings captured by lambdas that are coroutines
// expect: +1 c1 -1 ~ # | ~ # | o3 ~ # alive1 ~ # +3 +5 c3 | | ~ -3 -5 -3 # +3 +5 c3 | | c15 | | a30 n15 -3 -5 -3 ~ #
// expect: alive1 -1
#include "case.hpp"
#include <tuple>
struct Pair { Trace a; int n; };
static auto outside() {
  auto [a, n] = Pair{Trace(1), 2};
  return [a, n, &p = n]() -> VoidJob { co_await Pause{n}; say("o", a.id + n); (void)p; };
}
VoidJob body(int k) {
  auto [a, n] = Pair{Trace(3), k};
  Pair other{Trace(5), 6};
  auto& [b, m] = other;
  auto [x, y] = std::make_tuple(7, 8);
  auto copies = [a, n, x](int v) mutable -> VoidJob { n += co_await Pause{v}; say("c", a.id + n + x++); };
  auto references = [&a, &m, &y]() -> VoidJob { m += co_await Pause{a.id}; y = 1; };
  auto all = [&]() -> VoidJob { n += co_await Pause{1}; say("a", a.id + b.id + n + m + x + y); };
  VoidJob c = copies(1), r = references(), l = all();
  c.step();
  co_await Pause{0};
  c.run(), r.run(), l.run();
  say("n", n + m + y);
}
int main() {
  auto f = outside();
  at_each_suspension([&] { return f(); });
  at_each_suspension([] { return body(4); });
}

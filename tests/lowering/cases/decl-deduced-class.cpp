// case:   class template arguments deduced from closures, kept across suspensions; vectors and scoped enumerations in braces
// expect: ~ # | ~ # | | ~ # | | b6 | ~ # | | b6 | +3 | ~ -3 # | | b6 | +3 | h6 +5 | ~ -5 -3 # | | b6 | +3 | h6 +5 |
// expect: k8 | ~ -5 -3 # | | b6 | +3 | h6 +5 | k8 | | ~ -5 -3 # | | b6 | +3 | h6 +5 | k8 | | p6 | ~ -5 -3 # | | b6 |
// expect: +3 | h6 +5 | k8 | | p6 | | ~ -5 -3 # | | b6 | +3 | h6 +5 | k8 | | p6 | | | ~ -5 -3 # | | b6 | +3 | h6 +5 |
// expect: k8 | | p6 | | | | ~ -5 -3 # | | b6 | +3 | h6 +5 | k8 | | p6 | | | | w50 | ~ -5 -3 # | | b6 | +3 | h6 +5 |
// expect: k8 | | p6 | | | | w50 | l4 -5 -3 ~ # alive0
#include "case.hpp"
#include <utility>
template <class... B> struct Both : B... { using B::operator()...; };
template <class... B> Both(B...) -> Both<B...>;
template <class F> struct Hold { F f; Trace t; Hold(F g, int n) : f(g), t(n) {} };
typedef int v4 __attribute__((vector_size(16)));
enum class Level : unsigned char {};
VoidJob body() {
  Both b{[](int i) { return i; }, [](const char*) { return 2; }};
  co_await Pause{0};
  say("b", b(co_await Pause{4}) + b("x"));
  Hold h([](int i) { return i * 2; }, co_await Pause{3});
  co_await Pause{0};
  say("h", h.f(h.t.id));
  const Hold k{[&](int i) { return i + h.t.id; }, 5};
  co_await Pause{0};
  say("k", k.f(k.t.id));
  std::pair p{[](int i) { return i + 1; }, co_await Pause{5}};
  co_await Pause{0};
  say("p", p.first(p.second));
  v4 v = {1, 2, 3, 4};
  v += co_await Pause{1};
  v4 w{co_await Pause{5}, 6, 7, co_await Pause{8}};
  w *= v;
  co_await Pause{0};
  say("w", w[0] + w[3]);
  Level l{4};
  co_await Pause{0};
  say("l", static_cast<int>(l));
}
int main() { at_each_suspension(body); }

// case:   structured bindings of any name, to arrays and temporaries
// expect: ~ # | ~ # | +2 m2 -2 | ~ -2 # | +2 m2 -2 | | ~ -2 # | +2 m2 -2 | | | ~ -2 # | +2 m2 -2 | | | | ~ -2 # | +2
// expect: m2 -2 | | | | bits19 | ~ -2 # | +2 m2 -2 | | | | bits19 | | ~ -2 # | +2 m2 -2 | | | | bits19 | | lam27 sum6
// expect: | ~ -2 # | +2 m2 -2 | | | | bits19 | | lam27 sum6 | +11 +12 m11 m12 -12 -11 | ~ -12 -11 -2 # | +2 m2 -2 | |
// expect: | | bits19 | | lam27 sum6 | +11 +12 m11 m12 -12 -11 | ef23 -12 -11 -2 ~ # alive0
#include "case.hpp"
#include <utility>
template <class T, class U> struct Box {
  T t;
  U u;
  Box(T a, U b) : t(std::move(a)), u(std::move(b)) {}
};
struct Bits {
  unsigned a : 3, b : 5;
  int c;
};
VoidJob body() {
  Box b(co_await Pause{1}, Trace(2));
  std::pair p{co_await Pause{3}, b.t};
  auto [x, y] = Bits{1, 2, 3}.a ? std::pair{co_await Pause{4}, 5} : std::pair{6, 7};
  Bits bits{5, 6, co_await Pause{7}};
  auto& [q, r, s] = bits;
  r += static_cast<unsigned>(co_await Pause{1});
  say("bits", static_cast<int>(q + r) + s);
  int arr[2] = {1, 2};
  auto [c, d] = arr;
  co_await Pause{1};
  arr[0] = 9;
  auto lam = [c, &d, x, w = y]() mutable { return c + ++d + x + w; };
  say("lam", lam() + co_await Pause{lam()});
  say("sum", p.first + p.second + b.u.id);
  const auto& [e, f] = std::pair<Trace, Trace>(Trace(co_await Pause{11}), Trace(12));
  co_await Pause{1};
  say("ef", e.id + f.id);
}
int main() { at_each_suspension(body); }

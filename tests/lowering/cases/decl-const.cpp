// case:   constants, const objects and constexpr locals across suspensions
// expect: ~ # | ~ # | +4 | ~ -4 # | +4 | | ~ -4 # | +4 | | | ~ -4 # | +4 | | | text30 | ~ -4 # | +4 | | |
// expect: text30 | three -4 ~ # alive0
#include "case.hpp"
#include <array>
VoidJob body(int v) {
  const int n = 3;
  constexpr int m = n * 2;
  const int runtime = v + co_await Pause{1};
  const Trace t(runtime);
  static_assert(m == 6);
  int a[m] = {};
  co_await Pause{0};
  std::array<int, n> b{1, 2, 3};
  const double d = 0.5;
  co_await Pause{0};
  constexpr const char* text = "text";
  const auto f = [] { return n + m; };
  co_await Pause{0};
  say(text, n + m + runtime + t.id + a[1] + b[2] + static_cast<int>(d * 2) + f());
  switch (v) { case n: co_await Pause{0}; say("three"); }
}
int main() { at_each_suspension([] { return body(3); }); }

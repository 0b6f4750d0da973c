// case:   range-for with an init statement, and a range that is a temporary
// expect: ~ # +1 +7 | ~ -7 -1 # +1 +7 | x2 | ~ -7 -1 # +1 +7 | x2 | x3 -7 -1 | ~ # +1 +7 | x2 | x3 -7 -1 | v3
// expect: | ~ # +1 +7 | x2 | x3 -7 -1 | v3 | v4 +7 y1 | ~ -7 # +1 +7 | x2 | x3 -7 -1 | v3 | v4 +7 y1 | y2 | ~
// expect: -7 # +1 +7 | x2 | x3 -7 -1 | v3 | v4 +7 y1 | y2 | -7 ~ # alive0
#include "case.hpp"
#include <vector>
struct Range {
  Trace t{7};
  int data[2]{1, 2};
  const int* begin() const { return data; }
  const int* end() const { return data + 2; }
};
static Range make() { return {}; }
VoidJob body() {
  for (Trace t(1); int x : make()) { co_await Pause{0}; say("x", x + t.id); }
  for (std::vector<int> v{3, 4}; auto& x : v) { co_await Pause{0}; say("v", x); }
  for (int x : Range()) { say("y", x); co_await Pause{0}; }
}
int main() { at_each_suspension(body); }

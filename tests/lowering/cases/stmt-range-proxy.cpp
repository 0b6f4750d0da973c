// case:   range-for over proxies: the element is a temporary
// expect: | | | | b0 | b1 | b0
#include "case.hpp"
#include <vector>
VoidJob body() {
  std::vector<bool> v{true, false, true};
  for (auto&& b : v) { co_await Pause{0}; b = !b; }
  for (bool b : v) { co_await Pause{0}; say("b", b); }
}
int main() { VoidJob j = body(); j.run(); }

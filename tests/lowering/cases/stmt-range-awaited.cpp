// case:   range-for over an awaited container
// expect: ~ # | ~ # | | ~ # | | x1 | ~ # | | x1 | x2 | ~ # | | x1 | x2 | y3 y4 ~ # alive0
#include "case.hpp"
#include <vector>
VoidJob body() {
  for (int x : co_await PauseFor<std::vector<int>>{{1, 2}}) { co_await Pause{0}; say("x", x); }
  std::vector<int> v{3, 4};
  for (int x : co_await PauseRef<std::vector<int>>{v}) { say("y", x); }
}
int main() { at_each_suspension(body); }

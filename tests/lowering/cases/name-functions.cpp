// case:   locals with the names of functions that the body calls
// expect: | | helper5 sum112 moved3
#include "case.hpp"
#include <string>
#include <utility>
#include <vector>
static int helper(int v) { return v + 1; }
VoidJob body(std::vector<int> data) {
  const int h = helper(1);
  int size = static_cast<int>(data.size());
  auto begin = data.begin();
  int resume = 1, destroy = 2, promise = 3, frame = 4, index = 5, self = 6, locals = 7, ops = 8, handle = 9, next = 10;
  int move = 11, address = 12, std_ = 13;
  int main = 14;
  co_await Pause{0};
  std::string from("moved");
  std::string s = std::move(from);
  {
    int helper = ::helper(4);
    co_await Pause{0};
    say("helper", helper);
  }
  say("sum", h + size + *begin + resume + destroy + promise + frame + index + self + locals + ops + handle + next + move + address + std_ + main + helper(0));
  say(s.c_str(), static_cast<int>(data.size()));
}
int main() { VoidJob j = body({1, 2, 3}); j.run(); }

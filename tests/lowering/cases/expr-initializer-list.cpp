// case:   the backing array of an initializer_list lives as long as the list
// expect: ~ # | ~ # | | ~ # | | v33 | ~ # | | v33 | sum6 | ~ # | | v33 | sum6 | kept21 ~ # alive0
#include "case.hpp"
#include <initializer_list>
#include <vector>
static int sum(std::initializer_list<int> l) { int s = 0; for (int x : l) s += x; return s; }
VoidJob body() {
  std::vector<int> v{co_await Pause{1}, 2, co_await Pause{3}};
  say("v", static_cast<int>(v.size()) * 10 + v[2]);
  say("sum", sum({1, co_await Pause{2}, 3}));
  std::initializer_list<int> kept = {6, 7, 8};
  co_await Pause{0};
  say("kept", sum(kept));
}
int main() { at_each_suspension(body); }

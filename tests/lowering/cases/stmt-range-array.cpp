// case:   range-for over arrays
// expect: | | | | x11 | x13 +1 +2 | o1 | o2 c1 | -6 c2 | -7 | g1 | g2 | g3 | g4 -2 -1
#include "case.hpp"
VoidJob body() {
  int plain[] = {1, 2, 3};
  for (int& x : plain) x += co_await Pause{10};
  for (int x : plain) {
    if (x == 12) continue;
    co_await Pause{0};
    say("x", x);
  }
  Trace objects[2] = {Trace(1), Trace(2)};
  for (const auto& o : objects) { co_await Pause{0}; say("o", o.id); }
  for (Trace o : objects) { co_await Pause{0}; o.id += 5; }
  int grid[2][2] = {{1, 2}, {3, 4}};
  for (auto& row : grid)
    for (int x : row) { co_await Pause{0}; say("g", x); }
}
int main() { VoidJob j = body(); j.run(); }

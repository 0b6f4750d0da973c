// case:   arrays of scalars, objects, characters and arrays, default and list initialized
// expect: ~ # +1 +2 | ~ -2 -1 # +1 +2 | hello22 | ~ -2 -1 # +1 +2 | hello22 | b11 | ~ -2 -1 # +1 +2 | hello22
// expect: | b11 | g5 -2 -1 ~ # alive0
#include "case.hpp"
#include <cstring>
struct Counter { static inline int made = 0; int n = ++made; };
VoidJob body() {
  int plain[3];
  plain[0] = 1; plain[1] = 2; plain[2] = 3;
  char text[] = "hello";
  char buffer[16] = {};
  int grid[2][3] = {{1, 2, 3}, {4, 5}};
  Counter counters[2];
  const char* names[] = {"a", "b"};
  Trace objects[2]{Trace(1), Trace(2)};
  co_await Pause{0};
  std::strcpy(buffer, text);
  say(buffer, static_cast<int>(sizeof text + sizeof buffer));
  co_await Pause{0};
  say(names[1], plain[2] + grid[1][1] + counters[1].n - counters[0].n + objects[1].id);
  for (int i = 0; i < 3; ++i) grid[1][i] = plain[i];
  co_await Pause{0};
  say("g", grid[1][2] + static_cast<int>(sizeof grid / sizeof grid[0]));
}
int main() { at_each_suspension(body); }

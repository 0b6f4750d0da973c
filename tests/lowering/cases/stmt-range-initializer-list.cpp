// case:   range-for over a braced list
// expect: ~ # | ~ # | x1 | ~ # | x1 | x2 | ~ # | x1 | x2 | x3 | ~ # | x1 | x2 | x3 | y4 y5 ~ # alive0
#include "case.hpp"
VoidJob body() {
  for (int x : {1, 2, 3}) { co_await Pause{0}; say("x", x); }
  for (int x : {co_await Pause{4}, 5}) say("y", x);
}
int main() { at_each_suspension(body); }

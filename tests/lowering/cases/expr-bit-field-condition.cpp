// case:   the value of a conditional operator between bit-fields, its condition or an operand suspends
// expect: ~ # | ~ # | r1 | ~ # | r1 | if | ~ # | r1 | if | | ~ # | r1 | if | | kept2 | ~ # | r1 | if | | kept2 | | ~
// expect: # | r1 | if | | kept2 | | nested6 ~ # alive0
#include "case.hpp"
struct Bits { unsigned a : 3, b : 5; int c : 7; bool d : 1; };
VoidJob body() {
  Bits x{1, 2, -3, true};
  int r = co_await Pause{1} ? x.a : x.b;
  say("r", r);
  if (co_await Pause{1} ? x.d : x.d) say("if");
  const unsigned& kept = co_await Pause{0} ? x.a : x.b;
  x.b = 9;
  co_await Pause{0};
  say("kept", kept);
  say("nested", (co_await Pause{0} ? x.a : co_await Pause{1} ? x.b : x.a) + x.c);
}
int main() { at_each_suspension(body); }

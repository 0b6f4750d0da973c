// case:   arguments around suspensions are evaluated from left to right
// flags:  -Wno-unsequenced -Wno-sequence-point
// expect: ~ # | ~ # | a152 | ~ # | a152 | | ~ # | a152 | | b334 | ~ # | a152 | | b334 | c515 | ~ # | a152 | |
// expect: b334 | c515 | d123 ~ # alive0
#include "case.hpp"
static int three(int a, int b, int c) { return a * 100 + b * 10 + c; }
static int refs(const int& a, int b, int& c) { return a * 100 + b * 10 + c; }
VoidJob body() {
  int i = 1;
  say("a", three(i++, co_await Pause{5}, i++));
  say("b", three(co_await Pause{i}, i++, co_await Pause{i}));
  say("c", refs(i, co_await Pause{1}, ++i));
  say("d", three(i = 1, co_await Pause{2}, (i = 3)));
}
int main() { at_each_suspension(body); }

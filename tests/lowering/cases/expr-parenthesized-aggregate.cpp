// case:   an aggregate initialized with parentheses
// expect: ~ # | ~ # | | ~ # | | p12 ~ # alive0
#include "case.hpp"
struct Plain { int a, b; };
VoidJob body() {
  Plain p(co_await Pause{1}, co_await Pause{2});
  say("p", p.a * 10 + p.b);
}
int main() { at_each_suspension(body); }

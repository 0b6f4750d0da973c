// case:   a bit-field read before a suspension in the same expression
// expect: ~ # | ~ # | r11 | ~ # | r11 | b5 ~ # alive0
#include "case.hpp"
struct Bits { unsigned a : 3, b : 5; };
VoidJob body() {
  Bits x{1, 2};
  int r = static_cast<int>(x.a) + co_await Pause{10};
  say("r", r);
  x.b += static_cast<unsigned>(co_await Pause{3});
  say("b", static_cast<int>(x.b));
}
int main() { at_each_suspension(body); }

// case:   bit-fields beside suspensions
// expect: ~ # | ~ # | | ~ # | | x507 | ~ # | | x507 | | ~ # | | x507 | | y12 ~ # alive0
#include "case.hpp"
struct Bits { unsigned a : 3, b : 5; };
VoidJob body() {
  Bits x{};
  x.a = static_cast<unsigned>(co_await Pause{5});
  x.b = 7;
  co_await Pause{0};
  say("x", static_cast<int>(x.a * 100 + x.b));
  Bits y{static_cast<unsigned>(co_await Pause{1}), static_cast<unsigned>(co_await Pause{2})};
  say("y", static_cast<int>(y.a * 10 + y.b));
}
int main() { at_each_suspension(body); }

// case:   awaits inside the operands of awaits
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | v3 | ~ # | | | v3 | | ~ # | | | v3 | | | ~ # | | | v3 | | | | ~ #
// expect: | | | v3 | | | | v9 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int v = co_await Pause{co_await Pause{1} + co_await Pause{2}};
  say("v", v);
  v = co_await Pause{co_await Pause{co_await Pause{v + 1}}} + co_await Ready{co_await Pause{5}};
  say("v", v);
}
int main() { at_each_suspension(body); }

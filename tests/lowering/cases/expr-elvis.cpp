// case:   GNU's ?: without a second operand
// flags: -Wno-pedantic
// expect: ~ # | ~ # | | ~ # | | v3 | ~ # | | v3 | v5 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int v = co_await Pause{0} ?: co_await Pause{3};
  say("v", v);
  v = co_await Pause{5} ?: co_await Pause{6};
  say("v", v);
}
int main() { at_each_suspension(body); }

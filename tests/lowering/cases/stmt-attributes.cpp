// case:   attributes, empty statements and compound statements
// expect: ~ # | ~ # | likely | ~ # | likely | | ~ # | likely | | | ~ # | likely | | | +3 | ~ -3 # | likely | |
// expect: | +3 | -3 ~ # alive0
#include "case.hpp"
VoidJob body(int v) {
  ;;
  {}
  if (v) [[likely]] { co_await Pause{0}; say("likely"); }
  else [[unlikely]] co_await Pause{1};
  [[maybe_unused]] int unused = co_await Pause{2};
  for (;;) [[likely]] { if (co_await Pause{1}) break; }
  { { co_await Pause{0}; } ; }
  [[maybe_unused]] Trace t(3);
  co_await Pause{0};
}
int main() { at_each_suspension([] { return body(1); }); }

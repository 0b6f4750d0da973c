// case:   if constexpr and if consteval
// expect: ~ # | ~ # | four | ~ # | four | ~ # alive0
#include "case.hpp"
VoidJob body() {
  if constexpr (sizeof(int) == 4) { co_await Pause{0}; say("four"); }
  else { co_await Pause{0}; say("other"); }
  if constexpr (false) co_await Pause{1};
  co_await Pause{0};
}
int main() { at_each_suspension(body); }

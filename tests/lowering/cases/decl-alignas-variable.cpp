// case:   alignas on a variable
// native: clang-19 does not align its frames beyond what operator new gives
// expect: | a1 b1 v4
#include "case.hpp"
#include <cstdint>
VoidJob body() {
  alignas(64) int a = 1;
  alignas(32) char b[3] = {1, 2, 3};
  co_await Pause{0};
  say("a", reinterpret_cast<std::uintptr_t>(&a) % 64 == 0);
  say("b", reinterpret_cast<std::uintptr_t>(&b) % 32 == 0);
  say("v", a + b[2]);
}
int main() { VoidJob j = body(); j.run(); }

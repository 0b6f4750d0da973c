// case:   a generic coroutine lambda
// expect: | v2 | v3
#include "case.hpp"
int main() {
  auto generic = [](auto v) -> VoidJob { auto w = v; co_await Pause{0}; say("v", static_cast<int>(w + v)); };
  { VoidJob j = generic(1); j.run(); }
  { VoidJob j = generic(1.5); j.run(); }
}

// case:   __builtin_constant_p does not evaluate its argument; __builtin_FUNCTION names the coroutine
// expect: main named folded1 not0 nor0 | named4
#include "case.hpp"
VoidJob named(const char* where = __builtin_FUNCTION()) {
  say(where);
  say(__builtin_FUNCTION());
  say("folded", __builtin_constant_p(true ? 1 : co_await Pause{1}));
  say("not", __builtin_constant_p(false ? 1 : co_await Pause{2}));
  say("nor", __builtin_constant_p(3 == co_await Pause{3}));
  say(__builtin_FUNCTION(), co_await Pause{4});
}
int main() { named().run(); }

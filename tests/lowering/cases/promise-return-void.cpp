// case:   co_return of void expressions, and flowing off the end
// expect: +1 -1 # +1 log2 -1 # +1 | void -1 # +1 +3 -3 -1 # +1 | -1 #
#include "case.hpp"
static void log(int v) { say("log", v); }
struct Nothing {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>) { say("|"); }
  void await_resume() { say("void"); }
};
VoidJob body(int v) {
  Trace t(1);
  if (v == 0) co_return;
  if (v == 1) co_return log(2);
  if (v == 2) co_return co_await Nothing{};
  if (v == 3) co_return (void)Trace(3);
  co_await Pause{0};
}
int main() { for (int v = 0; v < 5; ++v) { { VoidJob j = body(v); j.run(); } say("#"); } }

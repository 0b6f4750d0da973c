// case:   exceptions of await_ready, await_suspend and await_resume without a handler
// expect: +5 +0 -0 -5 unhandled done1 +5 +1 -1 -5 unhandled done1 +5 +2 | -2 -5 unhandled done1 +5 +3 | +9 -3
// expect: t9 -9 -5 done1 alive0
#include "case.hpp"
struct Throws {
  int where;
  Trace t{where};
  bool await_ready() { if (where == 0) throw 0; return false; }
  void await_suspend(std::coroutine_handle<>) { if (where == 1) throw 1; say("|"); }
  Trace await_resume() { if (where == 2) throw 2; return Trace(9); }
};
VoidJob body(int v) {
  Trace a(5);
  Trace t = co_await Throws{v};
  say("t", t.id);
}
int main() { for (int v = 0; v < 4; ++v) { VoidJob j = body(v); j.run(); say("done", j.h.done()); } say("alive", Trace::alive); }

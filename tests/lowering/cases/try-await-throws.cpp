// case:   exceptions of await_ready, await_suspend and await_resume inside a try block
// expect: ~ # +5 -5 caught0 +5 -5 caught1 +5 -5 caught2 +5 +9 t9 -9 -5 | ~ # +5 -5 caught0 +5 -5 caught1 +5 -5
// expect: caught2 +5 +9 t9 -9 -5 | ~ # alive0
#include "case.hpp"
struct Throws {
  int where;
  bool await_ready() { if (where == 0) throw 0; return false; }
  bool await_suspend(std::coroutine_handle<>) { if (where == 1) throw 1; return false; }
  Trace await_resume() { if (where == 2) throw 2; return Trace(9); }
};
VoidJob body() {
  for (int i = 0; i < 4; ++i) {
    try {
      Trace before(5);
      Trace t = co_await Throws{i};
      say("t", t.id);
    } catch (int e) {
      say("caught", e);
    }
  }
  co_await Pause{0};
}
int main() { at_each_suspension(body); }

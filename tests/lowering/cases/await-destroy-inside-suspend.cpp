// case:   await_suspend destroys its own coroutine
// expect: +1 +2 +3 kill -3 -2 -1 killed +4 -4 alive0
#include "case.hpp"
struct Kill {
  Trace t{3};
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { say("kill"); h.destroy(); say("killed"); }
  void await_resume() {}
};
struct KillHandle {
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) { h.destroy(); return std::noop_coroutine(); }
  void await_resume() {}
};
VoidJob body() { Trace a(1), b(2); co_await Kill{}; say("no"); }
VoidJob other() { Trace a(4); co_await KillHandle{}; say("no"); }
int main() {
  { VoidJob j = body(); std::exchange(j.h, {}).resume(); }
  { VoidJob j = other(); std::exchange(j.h, {}).resume(); }
  say("alive", Trace::alive);
}

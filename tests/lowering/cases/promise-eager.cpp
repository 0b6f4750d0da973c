// case:   suspend_never at both ends: the frame goes by itself
// expect: +2 m2 +1 body2 return -1 -2 -2 # +4 m4 +1 +3 -4 parked resumed -3 return -1 -4 alive0
#include "case.hpp"
struct Eager {
  struct promise_type {
    Trace t{1};
    promise_type() {}
    Eager get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { say("return"); }
    void unhandled_exception() {}
  };
};
static std::coroutine_handle<> waiting;
struct Park {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { waiting = h; }
  void await_resume() {}
};
Eager at_once(Trace p) { say("body", p.id); co_return; }
Eager later(Trace) { Trace l(3); co_await Park{}; say("resumed"); }
int main() {
  at_once(Trace(2));
  say("#");
  later(Trace(4));
  say("parked");
  waiting.resume();
  say("alive", Trace::alive);
}

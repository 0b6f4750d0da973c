// case:   await_resume of the initial awaiter throws: unhandled_exception is called
// expect: +1 m1 -1 unhandled caught # -1
#include "case.hpp"
struct Start;
struct StartPromise {
  struct Initial {
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) {}
    void await_resume() { throw 1; }
  };
  Start get_return_object();
  Initial initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); throw; }
};
struct Start : Stepped<StartPromise> {
  using promise_type = StartPromise;
  using Stepped::Stepped;
};
Start StartPromise::get_return_object() { return Start{std::coroutine_handle<StartPromise>::from_promise(*this)}; }
Start body(Trace) { say("never"); co_return; }
int main() {
  Start s = body(Trace(1));
  try { s.h.resume(); } catch (int) { say("caught"); }
  say("#");
}

// case:   initial_suspend() gives a reference to an awaiter that is somewhere else
// expect: initial0 ~ # initial0 go1 | ~ # initial0 go1 | ~ # alive0
#include "case.hpp"
struct Start;
struct StartPromise {
  struct Initial {
    int n = 0;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { say("initial", n++); }
    void await_resume() { say("go", n); }
  } initial;
  Start get_return_object();
  Initial& initial_suspend() { return initial; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); }
};
struct Start : Stepped<StartPromise> {
  using promise_type = StartPromise;
  using Stepped::Stepped;
};
Start StartPromise::get_return_object() { return Start{std::coroutine_handle<StartPromise>::from_promise(*this)}; }
Start body() { co_await Pause{0}; }
int main() { at_each_suspension(body); }

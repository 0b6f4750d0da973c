// case:   a non-trivial initial awaiter: alive until its await_resume, destroyed also by destroy()
// expect: +1 m1 +10 initial -1 ~ -10 -1 # +1 m1 +10 initial -1 go -10 +2 | ~ -2 -1 # +1 m1 +10 initial -1 go
// expect: -10 +2 | -2 ~ -1 # alive0
#include "case.hpp"
struct Start;
struct StartPromise {
  struct Initial {
    Trace t{10};
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { say("initial"); }
    void await_resume() { say("go"); }
  };
  Start get_return_object();
  Initial initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); }
};
struct Start : Stepped<StartPromise> {
  using promise_type = StartPromise;
  using Stepped::Stepped;
};
Start StartPromise::get_return_object() { return Start{std::coroutine_handle<StartPromise>::from_promise(*this)}; }
Start body(Trace) { Trace t(2); co_await Pause{0}; }
int main() { at_each_suspension([] { return body(Trace(1)); }); }

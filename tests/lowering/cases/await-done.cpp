// case:   done() during the body, in the final await_suspend and after it
// expect: start0 | middle0 return final1 end1
#include "case.hpp"
struct Watched;
struct WatchedPromise {
  struct Final {
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<WatchedPromise> h) noexcept { say("final", h.done()); }
    void await_resume() noexcept { say("never"); }
  };
  Watched get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_void() { say("return"); }
  void unhandled_exception() {}
};
struct Watched : Stepped<WatchedPromise> {
  using promise_type = WatchedPromise;
  using Stepped::Stepped;
};
Watched WatchedPromise::get_return_object() { return Watched{std::coroutine_handle<WatchedPromise>::from_promise(*this)}; }
Watched body() { co_await Pause{0}; }
int main() {
  Watched j = body();
  say("start", j.h.done());
  j.step();
  say("middle", j.h.done());
  j.step();
  say("end", j.h.done());
}

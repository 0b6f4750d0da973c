// case:   suspend_never at the end only, and a conditional final awaiter
// expect: +1 | -1 +50 gone -50 ~P # +1 | -1 +50 kept done1 -50 ~P alive0
#include "case.hpp"
struct Maybe {
  struct promise_type {
    bool keep = false;
    struct Final {
      Trace t{50};
      bool keep;
      bool await_ready() noexcept { return !keep; }
      void await_suspend(std::coroutine_handle<>) noexcept { say("kept"); }
      void await_resume() noexcept { say("gone"); }
    };
    Maybe get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    Final final_suspend() noexcept { return {.keep = keep}; }
    void return_value(bool k) { keep = k; }
    void unhandled_exception() {}
    ~promise_type() { say("~P"); }
  };
  std::coroutine_handle<promise_type> h;
};
Maybe body(bool keep) { Trace t(1); co_await Pause{0}; co_return keep; }
int main() {
  Maybe a = body(false);
  a.h.resume(); a.h.resume();
  say("#");
  Maybe b = body(true);
  b.h.resume(); b.h.resume();
  say("done", b.h.done());
  b.h.destroy();
  say("alive", Trace::alive);
}

// case:   a million symmetric transfers between two coroutines need no stack
// expect: count1000000
#include "case.hpp"
struct Ring;
struct RingPromise {
  std::coroutine_handle<> other;
  Ring get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Ring : Stepped<RingPromise> {
  using promise_type = RingPromise;
  using Stepped::Stepped;
};
Ring RingPromise::get_return_object() { return Ring{std::coroutine_handle<RingPromise>::from_promise(*this)}; }
struct Switch {
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<RingPromise> h) { return h.promise().other; }
  void await_resume() {}
};
static int count = 0;
Ring body() { while (count < 1000000) { ++count; co_await Switch{}; } }
int main() {
  Ring a = body(), b = body();
  a.h.promise().other = b.h;
  b.h.promise().other = a.h;
  a.h.resume();
  say("count", count);
}

// case:   get_return_object_on_allocation_failure
// expect: +1 m1 -1 body -1 +2 failed -2 null1 alive0
#include "case.hpp"
#include <cstddef>
#include <cstdlib>
#include <new>
struct Try;
struct TryPromise {
  static inline bool fail = false;
  static void* operator new(std::size_t n) noexcept { return fail ? nullptr : std::malloc(n); }
  static void operator delete(void* p) { std::free(p); }
  static Try get_return_object_on_allocation_failure();
  Try get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Try : Stepped<TryPromise> {
  using promise_type = TryPromise;
  using Stepped::Stepped;
};
Try TryPromise::get_return_object() { return Try{std::coroutine_handle<TryPromise>::from_promise(*this)}; }
Try TryPromise::get_return_object_on_allocation_failure() { say("failed"); return Try{nullptr}; }
Try body(Trace) { say("body"); co_return; }
int main() {
  { Try j = body(Trace(1)); j.run(); }
  TryPromise::fail = true;
  { Try j = body(Trace(2)); say("null", !j.h); }
  say("alive", Trace::alive);
}

// case:   an asynchronous generator and its consumer
// expect: +1 | v0 | v1 | v4 | v9 -1 +1 | u0 -1 end alive0
#include "case.hpp"
struct Stream;
struct Consumer;
struct ConsumerPromise {
  Consumer get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); }
};
struct Consumer : Stepped<ConsumerPromise> {
  using promise_type = ConsumerPromise;
  using Stepped::Stepped;
};
Consumer ConsumerPromise::get_return_object() { return Consumer{std::coroutine_handle<ConsumerPromise>::from_promise(*this)}; }
static std::coroutine_handle<> outside;
struct External {  // resumed by main
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { say("|"); outside = h; }
  void await_resume() {}
};
struct StreamPromise {
  std::coroutine_handle<> consumer;
  const int* value = nullptr;
  struct Handover {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<StreamPromise> h) noexcept { return h.promise().consumer; }
    void await_resume() noexcept {}
  };
  Stream get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  Handover final_suspend() noexcept { value = nullptr; return {}; }
  Handover yield_value(const int& v) { value = &v; return {}; }
  void return_void() {}
  void unhandled_exception() { std::terminate(); }
};
struct Stream : Stepped<StreamPromise> {
  using promise_type = StreamPromise;
  using Stepped::Stepped;
  struct Next {
    std::coroutine_handle<StreamPromise> h;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) { h.promise().consumer = c; return h; }
    const int* await_resume() { return h.promise().value; }
  };
  Next next() { return {h}; }
};
Stream StreamPromise::get_return_object() { return Stream{std::coroutine_handle<StreamPromise>::from_promise(*this)}; }
Stream numbers(int n) {
  Trace t(1);
  for (int i = 0; i < n; ++i) { co_await External{}; co_yield i * i; }
}
Consumer body() {
  Stream s = numbers(4);
  while (const int* v = co_await s.next()) say("v", *v);
  for (Stream u = numbers(2); const int* v = co_await u.next();) { say("u", *v); break; }
  say("end");
}
int main() {
  Consumer c = body();
  c.h.resume();
  while (!c.h.done()) outside.resume();
  say("alive", Trace::alive);
}

// case:   no stack is used either where the compiler is asked for few optimisations
// flags:  -O1
// expect: deep200001 own200001
#include "case.hpp"
struct Task;
struct TaskPromise {
  int value = 0;
  std::coroutine_handle<> up = std::noop_coroutine();
  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<TaskPromise> h) noexcept { return h.promise().up; }
    void await_resume() noexcept {}
  };
  Task get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() {}
};
struct Task : Stepped<TaskPromise> {
  using promise_type = TaskPromise;
  using Stepped::Stepped;
  bool await_ready() { return false; }
  auto await_suspend(std::coroutine_handle<> c) { h.promise().up = c; return h; }
  int await_resume() { int v = h.promise().value; std::exchange(h, {}).destroy(); return v; }
};
Task TaskPromise::get_return_object() { return Task{std::coroutine_handle<TaskPromise>::from_promise(*this)}; }
Task deep(int n) { if (n == 0) co_return 1; co_return 1 + co_await deep(n - 1); }
Task own(int n) { if (n == 0) co_return 1; int k = n; if (k < 0) say("k", k); co_return 1 + co_await own(n - 1); }
int main() {
  { Task t = deep(200000); t.h.resume(); say("deep", t.h.promise().value); }
  { Task t = own(200000); t.h.resume(); say("own", t.h.promise().value); }
}

// case:   no stack is used by a chain of coroutines that call functions with variables of their own
// expect: deep200001 deep200001 deep200001 deep200001 deep200001 deep200001
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
struct Owner {  // tells the optimiser that its address is known elsewhere
  int v;
  Owner(int n) : v(n) { asm volatile("" ::"r"(this) : "memory"); }
  ~Owner() { asm volatile("" ::"r"(this) : "memory"); }
};
[[gnu::noinline]] Owner make(int n) {
  if (n > 100000000) throw n;
  return Owner(n);
}
[[gnu::noinline]] void take(const int& n) {
  if (n > 100000000) throw n;
  asm volatile("" ::"r"(&n) : "memory");
}
// Functions that are inlined, with variables that others know of while a call may throw.
inline int parameter(int n) {
  Owner s = make(n);
  take(n);
  return s.v - n;
}
inline int temporary(int n) { return make(n).v + make(n + 1).v - 2 * n - 1; }
inline int variable(int n) {
  int k = n;
  take(k);
  return k - n;
}
template <class T> T nested(T n) { return parameter(n) + variable(n) + temporary(n); }
Task with_parameter(int n) { if (n == 0) co_return 1; n += parameter(n); co_return 1 + co_await with_parameter(n - 1); }
Task with_temporary(int n) { if (n == 0) co_return 1; n += temporary(n); co_return 1 + co_await with_temporary(n - 1); }
Task with_variable(int n) { if (n == 0) co_return 1; n += variable(n); co_return 1 + co_await with_variable(n - 1); }
Task with_nested(int n) { if (n == 0) co_return 1; const int r = co_await with_nested(n - 1); co_return r + 1 + nested(n); }
Task with_own(int n) { if (n == 0) co_return 1; take(3); n += make(3).v - 3; co_return 1 + co_await with_own(n - 1); }
Task with_inner(int n) { if (n == 0) co_return 1; { Owner s = make(3); take(s.v); } co_return 1 + co_await with_inner(n - 1); }
int main() {
  for (Task (*f)(int) : {with_parameter, with_temporary, with_variable, with_nested, with_own, with_inner}) {
    Task t = f(200000);
    t.h.resume();
    say("deep", t.h.promise().value);
  }
}

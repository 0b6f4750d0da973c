// case:   recursive and mutually recursive coroutines
// expect: fib610 even1
#include "case.hpp"
struct Sum;
struct SumPromise {
  int value = 0;
  std::coroutine_handle<> up = std::noop_coroutine();
  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<SumPromise> h) noexcept { return h.promise().up; }
    void await_resume() noexcept {}
  };
  Sum get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() {}
};
struct Sum : Stepped<SumPromise> {
  using promise_type = SumPromise;
  using Stepped::Stepped;
  bool await_ready() { return false; }
  auto await_suspend(std::coroutine_handle<> c) { h.promise().up = c; return h; }
  int await_resume() { return h.promise().value; }
};
Sum SumPromise::get_return_object() { return Sum{std::coroutine_handle<SumPromise>::from_promise(*this)}; }
Sum fib(int n) { if (n < 2) co_return n; co_return co_await fib(n - 1) + co_await fib(n - 2); }
Sum odd(int n);
Sum even(int n) { if (n == 0) co_return 1; co_return co_await odd(n - 1); }
Sum odd(int n) { if (n == 0) co_return 0; int r = co_await even(n - 1); co_return r; }
int main() {
  { Sum s = fib(15); s.h.resume(); say("fib", s.h.promise().value); }
  { Sum s = even(10); s.h.resume(); say("even", s.h.promise().value); }
}

// The coroutine type of the golden programs.
#pragma once
#include <coroutine>

struct job {
  struct promise_type {
    int value = 0;
    job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) noexcept {
      value = v;
      return {};
    }
    void return_void() noexcept {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

struct object {
  int n;
  explicit object(int v) : n(v) {}
  object(const object&) = delete;
  ~object();
};

struct wait {
  int v;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  int await_resume() const noexcept { return v; }
};

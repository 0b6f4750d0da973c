// The coroutine type of the refused programs.
#pragma once
#include <coroutine>

struct job {
  struct promise_type {
    job get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int) noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
struct wait {
  int v;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  int await_resume() const noexcept { return v; }
};
struct object {
  int n = 0;
  object() = default;
  explicit object(int v) : n(v) {}
  ~object() {}
};

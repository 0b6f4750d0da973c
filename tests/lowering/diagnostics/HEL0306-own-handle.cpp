namespace std {
template <class R, class...>
struct coroutine_traits {
  using promise_type = typename R::promise_type;
};
template <class P = void>
struct coroutine_handle {
  static coroutine_handle from_address(void*) noexcept { return {}; }
  static coroutine_handle from_promise(P&) { return {}; }
};
template <>
struct coroutine_handle<void> {
  template <class P>
  coroutine_handle(coroutine_handle<P>) noexcept {}
  static coroutine_handle from_address(void*) noexcept;
};
struct suspend_never {
  bool await_ready() noexcept { return true; }
  void await_suspend(coroutine_handle<>) noexcept {}
  void await_resume() noexcept {}
};
}  // namespace std
struct job {
  struct promise_type {
    job get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
job body() { co_await std::suspend_never{}; }

// error: HEL0306 3:8
// error: HEL0306 7:8
// error: HEL0306 17:8

// case:   a lazy task with values, references, exceptions and symmetric transfer
// expect: +6 -6 kept6 +1 -1 +2 -2 sum3 +3 m3 -3 m3 -3 shared15 +9 -9 -3 caught3 alive0
#include "case.hpp"
#include <optional>
#include <type_traits>
template <class T> struct Task;
struct TaskBase {
  std::coroutine_handle<> up = std::noop_coroutine();
  std::exception_ptr error;
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P> std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept { return h.promise().up; }
    void await_resume() noexcept {}
  };
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};
template <class T> struct TaskPromise : TaskBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <class U> void return_value(U&& v) { value.emplace(std::forward<U>(v)); }
  T&& take() { if (error) std::rethrow_exception(error); return std::move(*value); }
};
template <class T> struct TaskPromise<T&> : TaskBase {
  T* value = nullptr;
  Task<T&> get_return_object();
  void return_value(T& v) { value = &v; }
  T& take() { if (error) std::rethrow_exception(error); return *value; }
};
template <> struct TaskPromise<void> : TaskBase {
  Task<void> get_return_object();
  void return_void() {}
  void take() { if (error) std::rethrow_exception(error); }
};
template <class T> struct Task {
  using promise_type = TaskPromise<T>;
  std::coroutine_handle<promise_type> h;
  explicit Task(std::coroutine_handle<promise_type> c) : h(c) {}
  Task(Task&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Task() { if (h) h.destroy(); }
  auto operator co_await() && {
    struct Awaiter {
      std::coroutine_handle<promise_type> h;
      bool await_ready() { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) { h.promise().up = c; return h; }
      decltype(auto) await_resume() { return h.promise().take(); }
    };
    return Awaiter{h};
  }
};
template <class T> Task<T> TaskPromise<T>::get_return_object() { return Task<T>{std::coroutine_handle<TaskPromise>::from_promise(*this)}; }
template <class T> Task<T&> TaskPromise<T&>::get_return_object() { return Task<T&>{std::coroutine_handle<TaskPromise>::from_promise(*this)}; }
inline Task<void> TaskPromise<void>::get_return_object() { return Task<void>{std::coroutine_handle<TaskPromise>::from_promise(*this)}; }
static int shared = 5;
Task<int> number(int n) { Trace t(n); co_return n; }
Task<Trace> object(int n) { co_return Trace(n); }
Task<int&> reference() { co_return shared; }
Task<void> fails(bool now) { Trace t(9); if (now) throw 3; co_return; }
Task<void> all() {
  say("sum", co_await number(1) + co_await number(2));
  Trace t = co_await object(3);
  (co_await reference()) += 10;
  say("shared", shared);
  const Task<void> unused = number(4).h ? fails(false) : fails(true);
  co_await fails(true);
  say("never");
}
Task<void> outer() {
  Task<int> kept = number(6);
  say("kept", co_await std::move(kept));
  co_await all();
}
int main() {
  Task<void> t = outer();
  t.h.resume();
  try { t.h.promise().take(); } catch (int e) { say("caught", e); }
  say("alive", Trace::alive);
}

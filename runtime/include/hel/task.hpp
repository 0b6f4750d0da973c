// hel::task<T>: a coroutine that runs when it is awaited.
//
// T is any movable type, a reference or void. Creating a task runs nothing. `T x = co_await f(a)` runs f on the same
// worker at once, with no queue in between. A task object owns the frame; destroying it destroys a task that has not
// started or is over. It is not thread-safe; a task is awaited at most once.
//
// A task ends with a value, with an exception (host) that the awaiter gets, or with a failure (hel/fail.hpp).
#pragma once

#include "hel/detail/promise.hpp"
#include "hel/detail/result.hpp"
#include "hel/expected.hpp"
#include "hel/fail.hpp"

namespace hel {

template <class T = void>
class task;

namespace detail {

struct final_awaiter {
  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) const noexcept {
    P& p = h.promise();
#if !defined(__CUDA_ARCH__)
    if (single_step) [[unlikely]]
      step_done(h);
#endif
    if (p.result_.has_failed()) [[unlikely]]
      return fail_from(__builtin_addressof(p), h, p.result_.failed_with());
    if (p.continuation) [[likely]] {
#if !defined(__CUDA_ARCH__)
      if (P::stepped && single_step) [[unlikely]]
        return step_transfer(p.continuation);
#endif
      return p.continuation;
    }
    return p.target ? group_arrive(*p.target->group) : finish_root(h);
  }
  HEL_HD void await_resume() const noexcept {}
};

// Task: the task type that the promise makes; it has a constructor from a handle.
template <class T, class Task>
struct promise_common : promise_base {
  static constexpr bool stepped = true;
  result<T> result_;

  HEL_HD Task get_return_object() noexcept {
    const auto h = std::coroutine_handle<typename Task::promise_type>::from_promise(
        static_cast<typename Task::promise_type&>(*this));
#if !defined(__CUDA_ARCH__)
    if (single_step) [[unlikely]]
      step_created(h);
#endif
    return Task(h);
  }
  HEL_HD std::suspend_always initial_suspend() const noexcept { return {}; }
  HEL_HD final_awaiter final_suspend() const noexcept { return {}; }
  HEL_HD void unhandled_exception() noexcept {
#if !defined(__CUDA_ARCH__)
    result_.set_exception();
#endif
  }
  HEL_HD ~promise_common() {
#if !defined(__CUDA_ARCH__)
    if (single_step) [[unlikely]]
      step_destroyed(std::coroutine_handle<typename Task::promise_type>::from_promise(
          static_cast<typename Task::promise_type&>(*this)));
#endif
  }
};

template <class T, class Task>
struct promise_returning : promise_common<T, Task> {
  template <class U = T>
    requires std::is_constructible_v<stored_t<T>, U>
  HEL_HD void return_value(U&& v) {
    this->result_.set(std::forward<U>(v));
  }
  HEL_HD void return_value(failing f) noexcept { this->result_.set_failure(f.reason()); }
};
template <class T, class Task>
struct promise_returning<T&, Task> : promise_common<T&, Task> {
  HEL_HD void return_value(T& v) noexcept { this->result_.set(__builtin_addressof(v)); }
  HEL_HD void return_value(failing f) noexcept { this->result_.set_failure(f.reason()); }
};
template <class Task>
struct promise_returning<void, Task> : promise_common<void, Task> {
  HEL_HD void return_void() noexcept { this->result_.set(); }
};

// Awaits a task that some object owns. Deliver: as_expected, errors arrive as values.
template <class T, class Promise, bool Deliver>
class call_awaiter {
 public:
  HEL_HD explicit call_awaiter(std::coroutine_handle<>& owner) noexcept { target_.owner = &owner; }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    const std::coroutine_handle<> frame = *target_.owner;
    if constexpr (!Deliver) target_.parent = failing_promise(waiting);
    Promise& p = promise(frame);
    p.continuation = waiting;
    p.target = &target_;
#if !defined(__CUDA_ARCH__)
    if (single_step && Promise::stepped) [[unlikely]] {
      step_waits(waiting, wait_kind::call, frame.address());
      return step_transfer(frame);
    }
#endif
    return frame;
  }
  HEL_HD decltype(auto) await_resume() {
    if constexpr (Deliver) {
      using expected_type = expected<T, error>;
      if (target_.failed) return expected_type(unexpected<error>(target_.err));
      if constexpr (std::is_void_v<T>) {
        promise(*target_.owner).result_.take();
        return expected_type();
      } else {
        return expected_type(promise(*target_.owner).result_.take());
      }
    } else {
      if (target_.failed) [[unlikely]]
        rethrow();
      return promise(*target_.owner).result_.take();
    }
  }

 private:
  HEL_HD static Promise& promise(std::coroutine_handle<> frame) noexcept {
    return std::coroutine_handle<Promise>::from_address(frame.address()).promise();
  }
  HEL_HD void rethrow() const {
#if defined(__CUDA_ARCH__)
    core::trap("a task failed under a coroutine that is no task");
#else
    throw failure(target_.err);
#endif
  }
  await_target target_;
};

// A task that as_expected has taken over.
template <class T, class Promise>
class expecting {
 public:
  HEL_HD explicit expecting(std::coroutine_handle<> h) noexcept : handle_(h) {}
  expecting(expecting&&) = delete;  // awaited where it is made
  HEL_HD ~expecting() {
    if (handle_) destroy_frame(handle_);
  }
  HEL_HD auto operator co_await() && noexcept { return call_awaiter<T, Promise, true>(handle_); }

 private:
  std::coroutine_handle<> handle_;
};

// Owns the frame of a task of any kind.
template <class T, class Task>
class owned_frame {
 public:
  using value_type = T;
  HEL_HD owned_frame() noexcept = default;
  HEL_HD explicit owned_frame(std::coroutine_handle<> h) noexcept : handle_(h) {}
  HEL_HD owned_frame(owned_frame&& o) noexcept : handle_(o.release()) {}
  HEL_HD owned_frame& operator=(owned_frame&& o) noexcept {
    if (this != &o) {
      if (handle_) destroy_frame(handle_);
      handle_ = o.release();
    }
    return *this;
  }
  HEL_HD ~owned_frame() {
    if (handle_) destroy_frame(handle_);
  }

  HEL_HD explicit operator bool() const noexcept { return static_cast<bool>(handle_); }
  // The caller owns the frame from here on. For the runtime.
  HEL_HD std::coroutine_handle<> release() noexcept {
    const std::coroutine_handle<> h = handle_;
    handle_ = nullptr;
    return h;
  }
  HEL_HD std::coroutine_handle<>& frame() noexcept { return handle_; }

  HEL_HD auto operator co_await() && noexcept {
    return call_awaiter<T, typename Task::promise_type, false>(handle_);
  }
  void operator co_await() & = delete;  // write co_await std::move(t): a task is awaited once
  HEL_HD auto deliver_errors() && noexcept { return expecting<T, typename Task::promise_type>(release()); }

 private:
  std::coroutine_handle<> handle_;
};

}  // namespace detail

template <class T>
class [[nodiscard("a task does nothing until it is awaited or spawned")]] task
    : public detail::owned_frame<T, task<T>> {
 public:
  struct promise_type : detail::promise_returning<T, task<T>> {};
  using detail::owned_frame<T, task<T>>::owned_frame;
};

// co_await hel::as_expected(f(a)): a failure arrives as the error of a hel::expected instead of failing the awaiting
// task. Exceptions are not caught. Also takes join handles and host calls.
template <class Awaitable>
HEL_HD auto as_expected(Awaitable&& a) noexcept {
  return std::forward<Awaitable>(a).deliver_errors();
}

}  // namespace hel

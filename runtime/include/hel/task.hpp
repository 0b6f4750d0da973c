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
    return p.owner ? group_arrive(*p.owner->group) : finish_root(h);
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
  requires std::is_constructible_v<stored_t<T>, U> HEL_HD void return_value(U&& v) {
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

// A task object: owns the frame, awaits it. Deliver: failures arrive as values (hel::as_expected).
//
// It is its own awaiter. There is no operator co_await, as the lowered code's compiler need not know that operator.
template <class T, class Task, bool Deliver = false>
class owned_task {
  using delivered = std::conditional_t<Deliver, expected<T, error>, T>;

 public:
  using value_type = T;
  owned_task() noexcept = default;
  HEL_HD explicit owned_task(std::coroutine_handle<> h) noexcept { owner_.frame = h; }
  HEL_HD owned_task(owned_task&& o) noexcept { owner_.frame = o.release(); }  // not while it is awaited
  HEL_HD owned_task& operator=(owned_task&& o) noexcept {
    if (this != &o) {
      if (owner_.frame) destroy_frame(owner_.frame);
      owner_.frame = o.release();
    }
    return *this;
  }
  HEL_HD ~owned_task() {
    if (owner_.frame) destroy_frame(owner_.frame);
  }

  // False for a task that was moved from, or that failed.
  HEL_HD explicit operator bool() const noexcept { return static_cast<bool>(owner_.frame); }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    if constexpr (!Deliver) owner_.parent = failing_promise(waiting);
    auto& p = promise();
    p.continuation = waiting;
    p.owner = &owner_;
#if !defined(__CUDA_ARCH__)
    if (single_step && Task::promise_type::stepped) [[unlikely]] {
      step_waits(waiting, wait_kind::call, owner_.frame.address());
      return step_transfer(owner_.frame);
    }
#endif
    return owner_.frame;
  }
  HEL_HD delivered await_resume() {
    if constexpr (Deliver) {
      if (owner_.failed) return unexpected<error>(owner_.err);
      if constexpr (std::is_void_v<T>) {
        promise().result_.take();
        return {};
      } else {
        return promise().result_.take();
      }
    } else {
      if (owner_.failed) [[unlikely]]
        raise_failure(owner_.err);
      return promise().result_.take();
    }
  }

  HEL_HD auto deliver_errors() && noexcept { return owned_task<T, Task, true>(release()); }

  // For the runtime: the frame changes hands, the frame stays, the promise.
  HEL_HD std::coroutine_handle<> release() noexcept {
    const std::coroutine_handle<> h = owner_.frame;
    owner_.frame = nullptr;
    return h;
  }
  HEL_HD frame_owner& owner() noexcept { return owner_; }
  HEL_HD auto& promise() const noexcept {
    return std::coroutine_handle<typename Task::promise_type>::from_address(owner_.frame.address()).promise();
  }

 private:
  frame_owner owner_;
};

}  // namespace detail

template <class T>
class [[nodiscard("a task does nothing until it is awaited or spawned")]] task : public detail::owned_task<T, task<T>> {
 public:
  struct promise_type : detail::promise_returning<T, task<T>> {};
  using detail::owned_task<T, task<T>>::owned_task;
};

// co_await hel::as_expected(f(a)): a failure arrives as the error of a hel::expected instead of failing the awaiting
// task. Exceptions are not caught. Also takes join handles and host calls.
template <class Awaitable>
HEL_HD auto as_expected(Awaitable&& a) noexcept {
  return std::forward<Awaitable>(a).deliver_errors();
}

}  // namespace hel

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

// Ends a task: its frame first, then on to who waits. Lowered code calls await_release instead of await_suspend,
// destroys what else is in the frame, frees it and goes on with next(): no call through the frame
// (hel/abi/lowered.hpp).
struct final_awaiter {
  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) const noexcept {
    const auto over = await_release(h.promise());
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_done(h);
#endif
    destroy_frame(h);
    return over.next();
  }
  HEL_HD void await_resume() const noexcept {}

  // Ends the life of the promise, too.
  template <class P>
  HEL_HD static task_over<typename P::value_type> await_release(P& p) noexcept {
#if !defined(__CUDA_ARCH__)
    // The slot has no room for both the failure and the frame's address, which the stepper asks for at the end.
    if (p.slot->has_failed()) [[unlikely]]
      step_over(std::coroutine_handle<P>::from_promise(p));
#endif
    return {p.link, p.slot};
  }
};

// Task: the task type that the promise makes; it has a constructor from a handle.
template <class T, class Task>
struct promise_common : promise_base {
  using value_type = T;
  static constexpr bool stepped = true;

  HEL_HD Task get_return_object() noexcept {
    const auto h = std::coroutine_handle<typename Task::promise_type>::from_promise(
        static_cast<typename Task::promise_type&>(*this));
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_made(h);
#endif
    return Task(h);
  }
  // On a device: there was no memory for the frame. Who awaits or spawns the task is told.
  HEL_HD static Task get_return_object_without_frame() noexcept { return Task(std::coroutine_handle<>()); }
  HEL_HD std::suspend_always initial_suspend() const noexcept { return {}; }
  HEL_HD final_awaiter final_suspend() const noexcept { return {}; }
  HEL_HD void unhandled_exception() noexcept {
#if !defined(__CUDA_ARCH__)
    out().set_exception();
#endif
  }
  HEL_HD ~promise_common() {
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_destroyed(std::coroutine_handle<typename Task::promise_type>::from_promise(
          static_cast<typename Task::promise_type&>(*this)));
#endif
  }

 protected:
  HEL_HD result<T>& out() noexcept { return *static_cast<result<T>*>(slot); }
};

template <class T, class Task>
struct promise_returning : promise_common<T, Task> {
  template <class U = T>
  requires std::is_constructible_v<stored_t<T>, U> HEL_HD void return_value(U&& v) {
    this->out().set(std::forward<U>(v));
  }
  HEL_HD void return_value(failing f) noexcept { this->out().set_failure(f.reason()); }
};
template <class T, class Task>
struct promise_returning<T&, Task> : promise_common<T&, Task> {
  HEL_HD void return_value(T& v) noexcept { this->out().set(__builtin_addressof(v)); }
  HEL_HD void return_value(failing f) noexcept { this->out().set_failure(f.reason()); }
};
template <class Task>
struct promise_returning<void, Task> : promise_common<void, Task> {
  HEL_HD void return_void() noexcept { this->out().set(); }
};

// A task object: owns the frame, awaits it, receives the outcome. Deliver: failures arrive as values
// (hel::as_expected).
//
// It is its own awaiter. There is no operator co_await, as the lowered code's compiler need not know that operator.
template <class T, class Task, bool Deliver = false>
class owned_task {
  using delivered = std::conditional_t<Deliver, expected<T, error>, T>;

 public:
  using value_type = T;
  owned_task() noexcept = default;
  HEL_HD explicit owned_task(std::coroutine_handle<> h) noexcept { out_.frame = h.address(); }
  HEL_HD owned_task(owned_task&& o) noexcept { out_.frame = o.release().address(); }  // not while it is awaited
  HEL_HD owned_task& operator=(owned_task&& o) noexcept {
    if (this != &o) {
      out_.~result<T>();
      ::new (static_cast<void*>(__builtin_addressof(out_))) result<T>();
      out_.frame = o.release().address();
    }
    return *this;
  }

  // False for a task that was moved from, and for one that is over.
  HEL_HD explicit operator bool() const noexcept { return out_.state == outcome::none && out_.frame; }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    const auto frame = std::coroutine_handle<>::from_address(out_.frame);
#if defined(__CUDA_ARCH__)
    if (!frame) {
      if constexpr (!Deliver) return fail_for_memory(waiting);
      out_.set_failure(error(errc::out_of_frames));
      return waiting;
    }
#endif
    promise_base& p = promise_of(out_.frame);
    constexpr bool task = is_task_promise<P>;
    out_.kind = !task ? reports::to_caller : Deliver ? reports::to_catcher : reports::to_task;
    p.link = waiting.address();
    p.slot = &out_;
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded && Task::promise_type::stepped) [[unlikely]] {
      out_.kind = !task ? reports::step_caller : Deliver ? reports::step_catcher : reports::step_task;
      return step_call(waiting, frame);
    }
#endif
    return frame;
  }
  HEL_HD delivered await_resume() {
    if constexpr (Deliver) {
      if (out_.has_failed()) return unexpected<error>(out_.err);
      if constexpr (std::is_void_v<T>) {
        out_.take();
        return {};
      } else {
        return out_.take();
      }
    } else {
      return out_.take();
    }
  }

  HEL_HD auto deliver_errors() && noexcept { return owned_task<T, Task, true>(release()); }

  // For the runtime: the frame changes hands, where the outcome goes.
  HEL_HD std::coroutine_handle<> release() noexcept {
    if (out_.state != outcome::none) return nullptr;
    const auto h = std::coroutine_handle<>::from_address(out_.frame);
    out_.frame = nullptr;
    return h;
  }
  HEL_HD result<T>& out() noexcept { return out_; }

 private:
  result<T> out_;
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

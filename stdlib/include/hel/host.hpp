// co_await hel::host(fn, args...): runs a function on the host, outside the workers.
//
//   std::size_t n = co_await hel::host(read_chunk, path, offset);
//   auto r = co_await hel::as_expected(hel::host(read_chunk, path, offset));   // hel::expected<std::size_t,
//   hel::error> long p = co_await hel::host(population{}, city).within(50ms);              // or fails with
//   errc::timed_out
//
// The task suspends until the answer is there; its worker goes on with other tasks. fn may block, and runs on one of
// the runtime's host threads (the deterministic executor runs it in turn on its own thread). An exception from fn fails
// the awaiting task: with its code when it is hel::failure, else with errc::host_exception.
//
// fn is one of two kinds:
//   - a function object registered with HEL_HOST_FUNCTION (hel/host_function.hpp): what a device can call. Arguments
//   and
//     result travel by value through a slot of fixed size;
//   - any other callable, on the CPU only: it and its arguments are copied or moved into the call, use std::ref for a
//     reference; they may be of any type.
//
// within(t): a call that is not answered in time, the wait for a free slot included, fails with errc::timed_out. Such a
// call, or one of a registered function whose task is cancelled, is abandoned: its function is not interrupted, it may
// start or end later, and what it answers is dropped; so what it refers to must live as long. The runtime's destructor
// waits 200 ms for an abandoned function, then leaves that thread behind. A call without within() is waited for, by its
// task and by the runtime's destructor. On the deterministic executor a function is never late: it runs in the only
// thread there is.
#pragma once

#include <chrono>
#include <coroutine>
#include <functional>
#include <type_traits>
#include <utility>

#include "hel/detail/duration.hpp"
#include "hel/detail/host_call.hpp"

namespace hel {
namespace detail {

template <bool Deliver, class F, class... Args>
class timed_host_call {
  using call = timed_call<F, Args...>;

 public:
  HEL_HD timed_host_call(F&& f, tuple<Args...>&& args, std::int64_t nanoseconds)
      : f_(std::move(f)), args_(std::move(args)), nanoseconds_(nanoseconds) {}
  HEL_HD timed_host_call(timed_host_call&& o) noexcept  // before it is awaited
      : f_(std::move(o.f_)), args_(std::move(o.args_)), nanoseconds_(o.nanoseconds_) {}
  HEL_HD ~timed_host_call() {
#if !defined(__CUDA_ARCH__)
    if (call_) call_->end();
#endif
  }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    core::trap("hel::host(...).within() is for the CPU only today");
#else
    call_ = call::make(std::move(f_), std::move(args_));
    return call_->template start<!Deliver>(waiting, nanoseconds_);
#endif
  }
  HEL_HD auto await_resume() { return call_->template taken<Deliver>(); }
  HEL_HD auto deliver_errors() && noexcept {
    return timed_host_call<true, F, Args...>(std::move(f_), std::move(args_), nanoseconds_);
  }

 private:
  F f_;
  tuple<Args...> args_;
  std::int64_t nanoseconds_;
  call* call_ = nullptr;
};

template <bool Deliver, class F, class... Args>
class host_call {
 public:
  template <class G, class... As>
  HEL_HD explicit host_call(std::in_place_t, G&& g, As&&... as)
      : call_(F(std::forward<G>(g)), tuple<Args...>{{{std::forward<As>(as)}...}}) {}
  HEL_HD host_call(F&& f, tuple<Args...>&& args) : call_(std::move(f), std::move(args)) {}
  HEL_HD host_call(host_call&& o) noexcept : call_(std::move(o.call_.f), std::move(o.call_.args)) {}  // before awaiting

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    return call_.template start_on_device<!Deliver>(waiting);
#else
    return call_.template start<!Deliver>(waiting);
#endif
  }
  HEL_HD auto await_resume() { return call_.template taken<Deliver>(); }
  HEL_HD auto deliver_errors() && noexcept {
    return host_call<true, F, Args...>(std::move(call_.f), std::move(call_.args));
  }

  // The same call with a time-out.
  template <class Rep, class Period>
  HEL_HD auto within(std::chrono::duration<Rep, Period> d) && noexcept {
    return timed_host_call<Deliver, F, Args...>(std::move(call_.f), std::move(call_.args), nanoseconds_of(d));
  }

 private:
  host_call_state<F, Args...> call_;
};

template <class F, class... Ps, class... Args>
HEL_HD auto registered_host_call(tuple<Ps...>*, Args&&... args) {
  static_assert(sizeof...(Ps) == sizeof...(Args), "hel::host: another number of arguments than the function has");
  return host_call<false, F, Ps...>(std::in_place, F{}, static_cast<Ps>(std::forward<Args>(args))...);
}

}  // namespace detail

template <class F, class... Args>
[[nodiscard("co_await it")]] HEL_HD auto host(F&& f, Args&&... args) {
  using function = std::decay_t<F>;
  if constexpr (detail::registered_host_function<function>::value) {
    using arguments = typename detail::registered_host_function<function>::arguments;
    return detail::registered_host_call<function>(static_cast<arguments*>(nullptr), std::forward<Args>(args)...);
  } else {
    return detail::host_call<false, function, std::decay_t<Args>...>(std::in_place, std::forward<F>(f),
                                                                     std::forward<Args>(args)...);
  }
}

}  // namespace hel

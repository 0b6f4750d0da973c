// co_await hel::host(fn, args...): runs a function on the host, outside the workers.
//
//   std::size_t n = co_await hel::host(read_chunk, path, offset);
//   auto r = co_await hel::as_expected(hel::host(read_chunk, path, offset));   // hel::expected<std::size_t,
//   hel::error>
//
// The task suspends until the answer is there; its worker goes on with other tasks. fn may block, and runs on one of
// the runtime's host threads (the deterministic executor runs it in turn on its own thread). Arguments are copied or
// moved into the call; use std::ref for a reference. A task that also compiles for the device passes a
// function object (a struct with operator()), as device code cannot name a host function. An exception from fn fails
// the awaiting task: with its code when it is hel::failure, else with errc::host_exception.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <type_traits>
#include <utility>

#include "hel/detail/cancel.hpp"
#include "hel/detail/result.hpp"
#include "hel/tuple.hpp"

namespace hel {
namespace detail {

template <bool Deliver, class F, class... Args>
class host_call {
  using value_type = std::invoke_result_t<F, Args...>;
  static_assert(!std::is_reference_v<value_type>, "a host function returns a value: its result crosses to the task");

 public:
  template <class G, class... As>
  HEL_HD explicit host_call(std::in_place_t, G&& g, As&&... as)
      : f_(std::forward<G>(g)), args_{{{std::forward<As>(as)}...}} {}
  HEL_HD host_call(host_call&& o) noexcept : f_(std::move(o.f_)), args_(std::move(o.args_)) {}  // before it is awaited

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    core::trap("hel::host needs the resident runtime, which does not serve host calls yet");
#else
    if (!current_executor) core::trap("hel::host is awaited outside a runtime");
    if (cancel_state* c = token_of(waiting)) {
      if (c->requested.load_relaxed() != 0) return fail_from(waiting, errc::cancelled);
    }
    request_.self = this;
    request_.resume = &host_call::run;
    request_.caller.handle = waiting;
    request_.caller.home = current_executor;
    if constexpr (!Deliver) request_.caller.parent = failing_promise(waiting);
    if (single_step) [[unlikely]]
      step_waits(waiting, wait_kind::host, this);
    current_executor->submit(request_);
    return std::noop_coroutine();
#endif
  }
  HEL_HD auto await_resume() {
    if constexpr (Deliver) {
      using expected_type = expected<value_type, error>;
      if (result_.has_failed()) return expected_type(unexpected<error>(result_.failed_with()));
      if constexpr (std::is_void_v<value_type>)
        return expected_type();
      else
        return expected_type(result_.take());
    } else {
      return result_.take();
    }
  }
  HEL_HD auto deliver_errors() && noexcept { return host_call<true, F, Args...>(std::move(f_), std::move(args_)); }
  HEL_HD host_call(F&& f, tuple<Args...>&& args) : f_(std::move(f)), args_(std::move(args)) {}

 private:
  struct request : exec::action {
    HEL_HD request() noexcept : exec::action(nullptr) {}
    host_call* self = nullptr;
    waiter caller;
  };

  template <std::size_t... I>
  value_type call(std::index_sequence<I...>) {
    return std::invoke(std::move(f_), get<I>(std::move(args_))...);
  }

  // On a host thread.
  static void run(void* r) {
    host_call& self = *static_cast<request*>(static_cast<exec::action*>(r))->self;
    try {
      if constexpr (std::is_void_v<value_type>) {
        self.call(std::index_sequence_for<Args...>());
        self.result_.set();
      } else {
        self.result_.set(self.call(std::index_sequence_for<Args...>()));
      }
    } catch (const failure& f) {
      self.result_.set_failure(f.error());
    } catch (...) {
      self.result_.set_failure(errc::host_exception);
    }
    waiter& caller = self.request_.caller;
    if (self.result_.has_failed() && caller.parent) {
      // The failing walks through the tasks' destructors: that is for a worker to do.
      self.request_.resume = &host_call::fail_caller;
      caller.home->schedule(self.request_.handle());
    } else {
      caller.home->schedule(caller.handle);
    }
  }
  static void fail_caller(void* r) {
    host_call& self = *static_cast<request*>(static_cast<exec::action*>(r))->self;
    const waiter caller = self.request_.caller;
    fail_from(caller.handle, self.result_.failed_with()).resume();
  }

  F f_;
  tuple<Args...> args_;
  result<value_type> result_;
  request request_;
};

}  // namespace detail

template <class F, class... Args>
[[nodiscard("co_await it")]] HEL_HD auto host(F&& f, Args&&... args) {
  return detail::host_call<false, std::decay_t<F>, std::decay_t<Args>...>(std::in_place, std::forward<F>(f),
                                                                          std::forward<Args>(args)...);
}

}  // namespace hel

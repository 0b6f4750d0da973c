// A host call on its way: what it carries, how it starts, what its answer brings about. hel/host.hpp has the rules.
#pragma once

#include <coroutine>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/core/spin_lock.hpp"
#include "hel/detail/cancel.hpp"
#include "hel/detail/result.hpp"
#include "hel/exec/host_calls.hpp"
#include "hel/host_function.hpp"
#include "hel/tuple.hpp"

namespace hel::detail {

// Part of the awaitable, or of a timed_call.
template <class F, class... Args>
struct host_call_state : exec::host_request {
  using value_type = std::invoke_result_t<F, Args...>;
  static_assert(!std::is_reference_v<value_type>, "a host function returns a value: its result crosses to the task");
  static constexpr bool registered = registered_host_function<F>::value;

  HEL_HD host_call_state(F&& g, tuple<Args...>&& a)
      : exec::host_request(nullptr), f(std::move(g)), args(std::move(a)) {}
  HEL_HD ~host_call_state() { end_cancellation(); }

  // For an await_suspend: submits the call and returns what runs next. Fails: a failed call makes the waiting task
  // fail.
  template <bool Fails, class P>
  std::coroutine_handle<> start(std::coroutine_handle<P> waiting) {
    if (!current_executor) core::trap("hel::host is awaited outside a runtime");
    resume = &host_call_state::answered;
    caller.handle = waiting;
    caller.home = current_executor;
    if constexpr (Fails) caller.parent = failing_promise(waiting);
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::host, this);
    fill = &host_call_state::write;
    constexpr std::size_t by_pointer = sizeof(exec::host_calls::by_pointer);
    if constexpr (registered)
      payload_bytes = static_cast<std::uint32_t>(registered_host_function<F>::payload_bytes);
    else
      payload_bytes = by_pointer;
    if (cancel_state* c = token_of(waiting)) [[unlikely]]
      return start_cancellable(c);
    submit();
    return std::noop_coroutine();
  }

#if defined(__CUDACC__)
  // The same on a device. There is no use for the host's request there: its place is the device's call.
  template <bool Fails, class P>
  __device__ std::coroutine_handle<> start_on_device(std::coroutine_handle<P> waiting) {
    constexpr bool fails = Fails && is_task_promise<P>;
    static_assert(sizeof(resident::device_call) <= sizeof(exec::host_request));
    if constexpr (registered) {
      using traits = registered_host_function<F>;
      auto* const c = ::new (static_cast<void*>(static_cast<exec::host_request*>(this))) resident::device_call;
      c->header.type = 0;
      c->header.index = static_cast<std::uint16_t>(fails ? resident::system_frame::call_may_fail
                                                         : resident::system_frame::call_answered);
      c->frame = waiting.address();
      c->function = traits::id;
      c->arguments = __builtin_addressof(args);
      c->argument_bytes = static_cast<std::uint32_t>(sizeof(typename traits::arguments));
      c->result_bytes = static_cast<std::uint32_t>(bytes_or_none<value_type>);
      device::submit_call(c);
      return std::noop_coroutine();
    } else {
      // A device has no way to name it.
      if constexpr (fails) return fail_from(waiting, errc::no_host_function);
      out.set_failure(errc::no_host_function);
      return waiting;
    }
  }
  __device__ void take_from_device() {
    if constexpr (registered) {
      auto* const request = static_cast<exec::host_request*>(this);
      const std::uint32_t slot = __builtin_launder(reinterpret_cast<resident::device_call*>(request))->slot;
      const std::int32_t code = device::call_header(slot).error;
      if (code != 0)
        out.set_failure(error(code));
      else if constexpr (std::is_void_v<value_type>)
        out.set();
      else
        out.set(*static_cast<const value_type*>(device::call_result(slot)));
      device::release_call(slot);
    }
  }
#endif

  // For an await_resume.
  template <bool Deliver>
  HEL_HD auto taken() {
#if defined(__CUDA_ARCH__)
    take_from_device();
#endif
    if constexpr (Deliver) {
      using expected_type = expected<value_type, error>;
      if (out.has_failed()) return expected_type(unexpected<error>(out.failed_with()));
      if constexpr (std::is_void_v<value_type>)
        return expected_type();
      else
        return expected_type(out.take());
    } else {
      return out.take();
    }
  }

  F f;
  tuple<Args...> args;
  result<value_type> out;
  waiter caller;
  void (*share)(host_request*) noexcept = nullptr;          // of a timed_call: the server has a part in it, ...
  void (*release_share)(host_request*) noexcept = nullptr;  // ... and gives it back

  // The waiting task goes on, or fails. *this may be gone afterwards.
  void go_on(const error* failed) {
    const std::coroutine_handle<> h = caller.handle;
    if (failed && caller.parent)
      fail_from(h, error(*failed)).resume();
    else if (tasks_recorded) [[unlikely]]
      current_executor->schedule_next(h);
    else
      h.resume();
  }
  HEL_HD void end_cancellation() noexcept {
#if !defined(__CUDA_ARCH__)
    if (!cancel_) [[likely]]
      return;
    cancel_->~point();
    free_block_of(cancel_, sizeof(point));
    cancel_ = nullptr;
#endif
  }

 private:
  struct point : cancel_point {
    explicit point(host_request* r) noexcept : call(r) {}
    static bool withdraw(cancel_point* p) noexcept {
      host_request* const r = static_cast<point*>(p)->call;
      return r->calls->abandon(*r);
    }
    host_request* call;
  };

  void submit() noexcept {
    exec::executor* const home = caller.home;
    if (home->host_calls().submit(*this)) home->calls_submitted();
  }
  HEL_COLD std::coroutine_handle<> start_cancellable(cancel_state* c) {
    // A function that refers to the task's own memory cannot be abandoned.
    if (!registered && !share) {
      if (c->requested.load_relaxed() != 0) return fail_from(caller.handle, errc::cancelled);
      submit();
      return std::noop_coroutine();
    }
    cancel_ = ::new (allocate_block(sizeof(point))) point(this);
    return cancel_->suspend(c, caller.handle, &point::withdraw, [this]() noexcept {
      submit();
      return true;
    });
  }

  static void write(host_request* r, core::rpc_header& h, void* payload) noexcept {
    auto& self = *static_cast<host_call_state*>(r);
    if (self.share || self.cancel_) h.flags = exec::host_calls::may_be_abandoned;
    if constexpr (registered) {
      using traits = registered_host_function<F>;
      h.function = traits::id;
      h.argument_bytes = static_cast<std::uint32_t>(sizeof(typename traits::arguments));
      h.result_bytes = static_cast<std::uint32_t>(bytes_or_none<value_type>);
      ::new (payload) typename traits::arguments(self.args);
    } else {
      h.function = exec::host_calls::by_pointer_id;
      if (self.share) self.share(r);
      ::new (payload) exec::host_calls::by_pointer{&host_call_state::run, &host_call_state::drop, r};
    }
  }

  // On a host thread.
  static void run(host_request* r) noexcept {
    auto& self = *static_cast<host_call_state*>(r);
    try {
      self.invoke(std::index_sequence_for<Args...>());
    } catch (const failure& e) {
      self.out.set_failure(e.error());
    } catch (...) {
      self.out.set_failure(errc::host_exception);
    }
    drop(r);
  }
  template <std::size_t... I>
  void invoke(std::index_sequence<I...>) {
    if constexpr (std::is_void_v<value_type>) {
      std::invoke(std::move(f), get<I>(std::move(args))...);
      out.set();
    } else {
      out.set(std::invoke(std::move(f), get<I>(std::move(args))...));
    }
  }
  static void drop(host_request* r) noexcept {
    if (const auto release = static_cast<host_call_state*>(r)->release_share) release(r);
  }

  // On a worker.
  static void answered(void* r) {
    auto& self = *static_cast<host_call_state*>(static_cast<exec::host_request*>(static_cast<exec::action*>(r)));
    // Answers are taken by whoever looks; the task belongs to a part of the executor.
    if (self.caller.home != current_executor) [[unlikely]]
      return self.caller.home->schedule(self.handle());
    self.end_cancellation();
    exec::host_calls& c = *self.calls;
    const core::rpc_header& h = c.header(self.slot);
    if (h.error != 0) {
      self.out.set_failure(error(h.error));
    } else if constexpr (registered) {
      if constexpr (std::is_void_v<value_type>)
        self.out.set();
      else
        self.out.set(*static_cast<const value_type*>(c.payload(self.slot)));
    }
    if (c.release(self.slot)) self.caller.home->calls_submitted();
    const error* const failed = self.out.has_failed() ? &self.out.err : nullptr;
    self.go_on(failed);
  }

  point* cancel_ = nullptr;
};

// A call with a time-out. A block of its own: the timer, and a function that was given up, may outlive the task. The
// awaitable has a part in it, and so have the timer, the server while it holds a function that is no registered one,
// and the thread that starts it.
template <class F, class... Args>
class timed_call : public host_call_state<F, Args...> {
  using state = host_call_state<F, Args...>;

 public:
  static timed_call* make(F&& f, tuple<Args...>&& args) {
    static_assert(alignof(timed_call) <= 16, "arguments are aligned to at most 16 bytes");
    return ::new (allocate_block(sizeof(timed_call))) timed_call(std::move(f), std::move(args));
  }

  template <bool Fails, class P>
  std::coroutine_handle<> start(std::coroutine_handle<P> waiting, std::int64_t nanoseconds) {
    exec::executor* const home = current_executor;
    if (!home) core::trap("hel::host is awaited outside a runtime");
    references_.add(2);  // this function's and the timer's
    expiry_.call = this;
    entry_.handle = expiry_.handle();
    entry_.home = home;
    // The runtime waits for the timer as for a task.
    count_root_started(*home);
    std::coroutine_handle<> next;
    {
      const core::spin_guard guard(start_);
      home->timers().set(entry_, std::chrono::nanoseconds(nanoseconds > 0 ? nanoseconds : 0));
      next = state::template start<Fails>(waiting);
    }
    release();
    return next;
  }
  template <bool Deliver>
  HEL_HD auto taken() {
    if (timed_out_) {
      if constexpr (Deliver)
        return expected<typename state::value_type, error>(unexpected<error>(errc::timed_out));
      else
        raise_failure(errc::timed_out);
    }
    return state::template taken<Deliver>();
  }
  // The awaitable is gone.
  void end() noexcept {
    this->end_cancellation();
    if (entry_.home && entry_.home->timers().cancel(entry_)) timer_over();
    release();
  }

 private:
  timed_call(F&& f, tuple<Args...>&& args) : state(std::move(f), std::move(args)), references_(1) {
    this->share = [](exec::host_request* r) noexcept { of(r).references_.add(1); };
    this->release_share = [](exec::host_request* r) noexcept { of(r).release(); };
  }
  static timed_call& of(exec::host_request* r) noexcept { return *static_cast<timed_call*>(static_cast<state*>(r)); }

  void release() noexcept {
    if (!references_.arrive()) return;
    this->~timed_call();
    free_block_of(this, sizeof(timed_call));
  }
  void timer_over() noexcept {
    count_root_finished(*entry_.home);
    release();
  }

  struct expiry : exec::action {
    expiry() noexcept : exec::action(&expiry::run) {}
    static void run(void* a) { static_cast<expiry*>(static_cast<exec::action*>(a))->call->expired(); }
    timed_call* call = nullptr;
  };
  void expired() {
    { const core::spin_guard wait_for_start(start_); }
    if (this->calls->abandon(*this)) {
      timed_out_ = true;
      const error e = errc::timed_out;
      this->go_on(&e);  // the awaitable releases its part
    }
    timer_over();
  }

  core::dependency_counter<> references_;
  core::spin_lock start_;  // held until the call is submitted: before that it cannot be abandoned
  bool timed_out_ = false;
  exec::timer_entry entry_;
  expiry expiry_;
};

}  // namespace hel::detail

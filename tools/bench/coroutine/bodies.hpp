// The coroutines that are measured and their types, in a namespace of the variant's own.
//
// bodies.cpp defines them and drivers.cpp runs them, so that no compiler sees both: it could otherwise put the frame
// into the driver, or call the body without looking into the frame.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

#include "hel/task.hpp"
#include "tools/bench/coroutine/frame_stack.hpp"

#if !defined(HEL_BENCH_VARIANT)
#  error "compile with -DHEL_BENCH_VARIANT=<namespace of the variant>"
#endif

namespace hel_bench::HEL_BENCH_VARIANT {

struct generator {
  struct promise_type {
    std::uint64_t value = 0;
    generator get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    std::suspend_always yield_value(std::uint64_t v) noexcept {
      value = v;
      return {};
    }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

struct heap_frames {};
struct stacked_frames {
  static void* operator new(std::size_t bytes) { return push_frame(bytes); }
  static void operator delete(void* frame, std::size_t) noexcept { pop_frame(frame); }
};

// The customary lazy task with symmetric transfer.
template <class Frames>
struct lazy {
  struct promise_type;
  using handle_type = std::coroutine_handle<promise_type>;
  struct final_awaiter {
    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(handle_type h) const noexcept { return h.promise().waiting; }
    void await_resume() const noexcept {}
  };
  struct promise_type : Frames {
    std::coroutine_handle<> waiting = std::noop_coroutine();
    std::uint64_t value = 0;
    lazy get_return_object() noexcept { return lazy(handle_type::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    final_awaiter final_suspend() const noexcept { return {}; }
    void return_value(std::uint64_t v) noexcept { value = v; }
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  explicit lazy(handle_type h) noexcept : handle(h) {}
  lazy(lazy&& o) noexcept : handle(std::exchange(o.handle, {})) {}
  ~lazy() {
    if (handle) handle.destroy();
  }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) const noexcept {
    handle.promise().waiting = h;
    return handle;
  }
  std::uint64_t await_resume() const noexcept { return handle.promise().value; }

  handle_type handle;
};

// A number of the variant's own, so that what is instantiated for hel::task is, too.
enum class number : std::uint64_t {};

generator count_up(std::uint64_t end);
lazy<heap_frames> heap_leaf(std::uint64_t v);
lazy<stacked_frames> leaf(std::uint64_t v);
lazy<stacked_frames> nested(std::uint64_t depth);
lazy<stacked_frames> fib(std::uint64_t n);
hel::task<number> task_fib(std::uint64_t n);
lazy<stacked_frames> run_task_fib(std::uint64_t n);  // awaits task_fib(n)

}  // namespace hel_bench::HEL_BENCH_VARIANT

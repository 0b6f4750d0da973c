// co_await hel::sleep_for(10ms): suspends the task, not its worker.
//
// On the deterministic executor time is virtual: when no task is ready, the clock jumps to the next timer, so that an
// hour takes no time and every run is the same. hel::now() is the clock that the timers of the running task use.
#pragma once

#include <chrono>
#include <cstdint>

#include "hel/detail/cancel.hpp"
#include "hel/detail/duration.hpp"

namespace hel {

class [[nodiscard("co_await it")]] sleep_operation {
 public:
  HEL_HD explicit sleep_operation(std::int64_t nanoseconds) noexcept : nanoseconds_(nanoseconds) {}
  sleep_operation(sleep_operation &&) = delete;

  HEL_HD bool await_ready() const noexcept { return nanoseconds_ <= 0; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) {
#if defined(__CUDA_ARCH__)
    core::trap("hel::sleep_for needs the resident runtime, which has no timers yet");
#else
    if (!detail::current_executor) core::trap("hel::sleep_for is awaited outside a runtime");
    if (detail::tasks_recorded) [[unlikely]]
      detail::step_waits(h, wait_kind::timer, this);
    entry_.handle = h;
    entry_.home = detail::current_executor;
    exec::timer_service& timers = entry_.home->timers();
    if (detail::cancel_state* c = detail::token_of(h)) {
      point_ = ::new (detail::allocate_block(sizeof(point))) point(&entry_);
      return point_->suspend(
          c, h,
          [](detail::cancel_point* p) noexcept {
            exec::timer_entry& e = *static_cast<point*>(p)->entry;
            return e.home->timers().cancel(e);
          },
          [this, &timers]() noexcept {
            timers.set(entry_, std::chrono::nanoseconds(nanoseconds_));
            return true;
          });
    }
    timers.set(entry_, std::chrono::nanoseconds(nanoseconds_));
    return std::noop_coroutine();
#endif
  }
  HEL_HD void await_resume() noexcept { end(); }
  HEL_HD ~sleep_operation() { end(); }

 private:
  struct point : detail::cancel_point {
    exec::timer_entry* entry;
    explicit point(exec::timer_entry* e) noexcept : entry(e) {}
  };
  HEL_HD void end() noexcept {
#if !defined(__CUDA_ARCH__)
    if (!point_) [[likely]]
      return;
    point_->~point();
    detail::free_block_of(point_, sizeof(point));
    point_ = nullptr;
#endif
  }

  std::int64_t nanoseconds_;
  exec::timer_entry entry_;
  point* point_ = nullptr;
};

template <class Rep, class Period>
HEL_HD sleep_operation sleep_for(std::chrono::duration<Rep, Period> d) noexcept {
  return sleep_operation(detail::nanoseconds_of(d));
}

// Since the runtime was made. In a task.
inline std::chrono::nanoseconds now() {
  if (!detail::current_executor) core::trap("hel::now is called outside a runtime");
  return detail::current_executor->timers().now();
}

}  // namespace hel

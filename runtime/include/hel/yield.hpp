// co_await hel::yield(): lets everything else that is ready run first.
#pragma once

#include "hel/detail/cancel.hpp"

namespace hel {

class yielding {
 public:
  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) const noexcept {
#if defined(__CUDA_ARCH__)
    device::enqueue_last(h.address());
#else
    if (!detail::current_executor) core::trap("hel::yield is awaited outside a runtime");
    if (detail::tasks_recorded) [[unlikely]]
      detail::step_waits(h, wait_kind::yield, nullptr);
    if (detail::cancel_state* c = detail::token_of(h)) {
      if (c->requested.load_relaxed() != 0) return detail::fail_from(h, errc::cancelled);
    }
    detail::current_executor->schedule_last(h);
#endif
    return std::noop_coroutine();
  }
  HEL_HD void await_resume() const noexcept {}
};

[[nodiscard("co_await it")]] HEL_HD inline yielding yield() noexcept { return {}; }

}  // namespace hel

// co_await hel::yield(): lets everything else that is ready run first.
#pragma once

#include "hel/detail/promise.hpp"

namespace hel {

class yielding {
 public:
  HEL_HD bool await_ready() const noexcept { return false; }
  HEL_HD void await_suspend(std::coroutine_handle<> h) const noexcept {
#if defined(__CUDA_ARCH__)
    detail::enqueue(nullptr, h);  // the device's ready queue is first in, first out
#else
    if (!detail::current_executor) core::trap("hel::yield is awaited outside a runtime");
    if (detail::single_step) [[unlikely]]
      detail::step_waits(h, wait_kind::yield, nullptr);
    detail::current_executor->schedule_last(h);
#endif
  }
  HEL_HD void await_resume() const noexcept {}
};

[[nodiscard("co_await it")]] HEL_HD inline yielding yield() noexcept { return {}; }

}  // namespace hel

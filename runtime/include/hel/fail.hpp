// hel::fail: ends a task with an error.
//
//   co_await hel::fail(code);    in any task; never continues
//   co_return hel::fail(code);   in a task with a result
//
// The awaiting task fails in turn, its frame destroyed at that suspension, until one awaits through hel::as_expected.
// A spawned or launched task keeps the error for whoever joins it. In a coroutine that is no HEL task (host only) the
// failure arrives as the exception hel::failure.
#pragma once

#include <type_traits>

#include "hel/detail/promise.hpp"

namespace hel {

class [[nodiscard("co_await or co_return it")]] failing {
 public:
  HEL_HD explicit failing(error e) noexcept : error_(e) {}
  HEL_HD error reason() const noexcept { return error_; }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) const {
    if constexpr (std::is_base_of_v<detail::promise_base, P>) {
      // The frame holds *this: copy first.
      const error e = error_;
      return detail::fail_from(h, e);
    } else {
#if defined(__CUDA_ARCH__)
      core::trap("hel::fail in a coroutine that is no task");
#else
      throw failure(error_);
#endif
    }
  }
  [[noreturn]] HEL_HD void await_resume() const noexcept { core::trap("a failed task was resumed"); }

 private:
  error error_;
};

HEL_HD inline failing fail(std::int32_t code) noexcept { return failing(error(code)); }
HEL_HD inline failing fail(error e) noexcept { return failing(e); }
template <class E>
requires std::is_enum_v<E> HEL_HD failing fail(E code)
noexcept { return failing(error(static_cast<std::int32_t>(code))); }

}  // namespace hel

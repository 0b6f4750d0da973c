// The result of a task, inside its promise.
#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"
#include "hel/core/trap.hpp"
#include "hel/error.hpp"
#include "hel/expected.hpp"
#include "hel/fail.hpp"

namespace hel::detail {

enum class outcome : std::uint8_t { none, value, exception, failure };

template <class T>
class result {
  using store = stored_t<T>;
  static_assert(std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
                "the result of a task must be movable, a reference or void");
  static_assert(alignof(store) <= 16, "a frame is aligned to 16 bytes, which this result type exceeds");

 public:
  HEL_HD result() noexcept {}
  result(const result&) = delete;
  result& operator=(const result&) = delete;
  HEL_HD ~result() {
    if (outcome_ == outcome::value) {
      value_.~store();
    } else if (outcome_ == outcome::exception) [[unlikely]] {
#if !defined(__CUDA_ARCH__)
      exception_.~exception_ptr();
#endif
    }
  }

  template <class... U>
  HEL_HD void set(U&&... u) {
    ::new (static_cast<void*>(__builtin_addressof(value_))) store(std::forward<U>(u)...);
    outcome_ = outcome::value;
  }
  HEL_HD void set_failure(error e) noexcept {
    error_ = e;
    outcome_ = outcome::failure;
  }
  // Called by unhandled_exception. A failure that travels as an exception turns into a failure again.
  void set_exception() noexcept {
    if (outcome_ == outcome::value) value_.~store();  // a destructor threw after co_return
    try {
      throw;
    } catch (const failure& f) {
      set_failure(f.error());
    } catch (...) {
      ::new (static_cast<void*>(__builtin_addressof(exception_))) std::exception_ptr(std::current_exception());
      outcome_ = outcome::exception;
    }
  }

  HEL_HD bool has_failed() const noexcept { return outcome_ == outcome::failure; }
  HEL_HD bool threw() const noexcept { return outcome_ == outcome::exception; }
  HEL_HD error failed_with() const noexcept { return error_; }

  // Moves the value out, or throws what the task threw.
  HEL_HD T take() {
    if (outcome_ != outcome::value) [[unlikely]]
      raise();
    if constexpr (std::is_void_v<T>)
      return;
    else if constexpr (std::is_reference_v<T>)
      return static_cast<T>(*value_);
    else
      return std::move(value_);
  }

 private:
  HEL_HD void raise() const {
#if defined(__CUDA_ARCH__)
    core::trap("the result of a task is read before the task has one");
#else
    if (outcome_ == outcome::exception) std::rethrow_exception(exception_);
    core::trap("the result of a task is read before the task has one");
#endif
  }

  union {
    store value_;
    std::exception_ptr exception_;
    error error_;
  };
  outcome outcome_ = outcome::none;
};

}  // namespace hel::detail

// hel::expected<T, E>: a value or an error, after std::expected (C++23, [expected.expected]), usable on the device.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"
#include "hel/core/trap.hpp"

namespace hel {

template <class E>
class unexpected {
 public:
  HEL_HD constexpr explicit unexpected(E e) noexcept : error_(e) {}
  HEL_HD constexpr const E& error() const noexcept { return error_; }

 private:
  E error_;
};

// value() on an expected that holds an error; on the device that stops the kernel with a message.
class bad_expected_access : public std::exception {
 public:
  const char* what() const noexcept override { return "hel::expected holds an error, not a value"; }
};

namespace detail {
// What is stored for T: references as pointers, void as nothing.
struct nothing {};
template <class T>
struct stored {
  using type = T;
};
template <class T>
struct stored<T&> {
  using type = T*;
};
template <>
struct stored<void> {
  using type = nothing;
};
template <class T>
using stored_t = typename stored<T>::type;
}  // namespace detail

// T: movable, a reference or void. E: trivially copyable. Holding an error, *x and x-> are undefined, value() throws.
template <class T, class E>
class expected {
  static_assert(std::is_trivially_copyable_v<E>);
  using store = detail::stored_t<T>;

 public:
  using value_type = T;
  using error_type = E;

  HEL_HD
  expected() noexcept(std::is_nothrow_default_constructible_v<store>) requires(std::is_void_v<T> ||
                                                                               std::is_default_constructible_v<T>)
      : value_(), has_value_(true) {}
  template <class U = T>
  requires(!std::is_void_v<T> && !std::is_reference_v<T> && !std::is_same_v<std::remove_cvref_t<U>, expected> &&
           std::is_constructible_v<T, U>) HEL_HD expected(U&& v)
      : value_(std::forward<U>(v)), has_value_(true) {}
  template <class U>
  requires(std::is_reference_v<T>&& std::is_convertible_v<U*, store>) HEL_HD expected(U& v)
  noexcept : value_(__builtin_addressof(v)), has_value_(true) {}
  HEL_HD expected(unexpected<E> u) noexcept : error_(u.error()), has_value_(false) {}

  HEL_HD expected(const expected& o) requires std::is_copy_constructible_v<store> : has_value_(o.has_value_) {
    if (has_value_)
      ::new (static_cast<void*>(__builtin_addressof(value_))) store(o.value_);
    else
      error_ = o.error_;
  }
  HEL_HD expected(expected&& o) noexcept(std::is_nothrow_move_constructible_v<store>) : has_value_(o.has_value_) {
    if (has_value_)
      ::new (static_cast<void*>(__builtin_addressof(value_))) store(std::move(o.value_));
    else
      error_ = o.error_;
  }
  HEL_HD expected& operator=(expected o) noexcept(std::is_nothrow_move_constructible_v<store>) {
    clear();
    has_value_ = o.has_value_;
    if (has_value_)
      ::new (static_cast<void*>(__builtin_addressof(value_))) store(std::move(o.value_));
    else
      error_ = o.error_;
    return *this;
  }
  HEL_HD ~expected() { clear(); }

  HEL_HD bool has_value() const noexcept { return has_value_; }
  HEL_HD explicit operator bool() const noexcept { return has_value_; }
  HEL_HD const E& error() const noexcept { return error_; }

  HEL_HD decltype(auto) operator*() & noexcept { return get(value_); }
  HEL_HD decltype(auto) operator*() const& noexcept { return get(value_); }
  HEL_HD decltype(auto) operator*() && noexcept { return get(std::move(value_)); }
  HEL_HD auto* operator->() noexcept requires(!std::is_void_v<T>) { return __builtin_addressof(get(value_)); }
  HEL_HD auto* operator->() const noexcept requires(!std::is_void_v<T>) { return __builtin_addressof(get(value_)); }

  HEL_HD decltype(auto) value() & {
    check();
    return get(value_);
  }
  HEL_HD decltype(auto) value() const& {
    check();
    return get(value_);
  }
  HEL_HD decltype(auto) value() && {
    check();
    return get(std::move(value_));
  }
  template <class U>
  HEL_HD T value_or(U&& other) const& {
    if (has_value_) return get(value_);
    return static_cast<T>(std::forward<U>(other));
  }

 private:
  template <class S>
  HEL_HD static decltype(auto) get(S&& s) noexcept {
    if constexpr (std::is_void_v<T>)
      return static_cast<void>(s);
    else if constexpr (std::is_reference_v<T>)
      return static_cast<T>(*s);
    else
      return static_cast<S&&>(s);
  }
  HEL_HD void check() const {
    if (has_value_) return;
#if defined(__CUDA_ARCH__)
    core::trap("hel::expected::value() on an error");
#else
    throw bad_expected_access();
#endif
  }
  HEL_HD void clear() noexcept {
    if (has_value_) value_.~store();
  }

  union {
    store value_;
    E error_;
  };
  bool has_value_;
};

}  // namespace hel

// HEL_HOST_FUNCTION(type): a function object that host calls name by a number, so that a call can come from a device.
//
//   struct population {
//     long operator()(int city) const { ... }     // on a host thread: it may block
//   };
//   HEL_HOST_FUNCTION(population);                // at global namespace scope, in every file that calls it
//   ...
//   long people = co_await hel::host(population{}, city);
//
// What is registered travels by value through a slot that host and device share: the arguments, and the result, are
// trivially copyable, together at most 64 KiB each way, aligned to at most 16 bytes. The type has one operator(), is
// empty and default-constructible: the host makes an object of its own for each call. A type that breaks a rule does
// not compile; two types that are registered under one name make hel::runtime's constructor throw std::logic_error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"
#include "hel/core/rpc.hpp"
#include "hel/error.hpp"
#include "hel/tuple.hpp"

namespace hel {
namespace detail {

// The number by which both sides know a function: FNV-1a of its name (G. Fowler, L. Noll, K.-P. Vo), never 0.
HEL_HD constexpr std::uint64_t host_function_id(const char* name) noexcept {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (; *name; ++name) h = (h ^ static_cast<unsigned char>(*name)) * 0x100000001b3u;
  return h == 0 ? 1 : h;
}

// Specialised by HEL_HOST_FUNCTION.
template <class F>
struct registered_host_function {
  static constexpr bool value = false;
};

template <class Call>
struct host_signature;
template <class F, class R, class... Ps>
struct host_signature<R (F::*)(Ps...) const> {
  using result = R;
  using arguments = tuple<std::decay_t<Ps>...>;
  static constexpr bool copyable =
      (std::is_trivially_copyable_v<std::decay_t<Ps>> && ...) && (std::is_void_v<R> || std::is_trivially_copyable_v<R>);
  static constexpr bool by_value =
      ((!std::is_lvalue_reference_v<Ps> || std::is_const_v<std::remove_reference_t<Ps>>)&&...) &&
      !std::is_reference_v<R>;
};
template <class F, class R, class... Ps>
struct host_signature<R (F::*)(Ps...)> : host_signature<R (F::*)(Ps...) const> {};
template <class F, class R, class... Ps>
struct host_signature<R (F::*)(Ps...) const noexcept> : host_signature<R (F::*)(Ps...) const> {};
template <class F, class R, class... Ps>
struct host_signature<R (F::*)(Ps...) noexcept> : host_signature<R (F::*)(Ps...) const> {};

template <class T>
inline constexpr std::size_t bytes_or_none = sizeof(T);
template <>
inline constexpr std::size_t bytes_or_none<void> = 0;

template <class F>
struct host_function_rules {
  static_assert(
      requires { &F::operator(); },
      "HEL_HOST_FUNCTION: a class with one operator(), which is neither a template nor overloaded");
  using signature = host_signature<decltype(&F::operator())>;
  using result = typename signature::result;
  using arguments = typename signature::arguments;
  static_assert(
      std::is_empty_v<F> && std::is_default_constructible_v<F>,
      "HEL_HOST_FUNCTION: the class must be empty and default-constructible, as the host makes its own object");
  static_assert(signature::by_value,
                "HEL_HOST_FUNCTION: parameters are values or references to const, the result a value: nothing else "
                "travels between device and host");
  static_assert(signature::copyable, "HEL_HOST_FUNCTION: arguments and result must be trivially copyable");
  static_assert(sizeof(arguments) <= core::rpc_largest_payload && bytes_or_none<result> <= core::rpc_largest_payload,
                "HEL_HOST_FUNCTION: more than 64 KiB of arguments or result: pass a hel::buffer");
  static_assert(alignof(arguments) <= 16, "HEL_HOST_FUNCTION: arguments are aligned to at most 16 bytes");
  static constexpr std::size_t payload_bytes = sizeof(arguments) > bytes_or_none<result> ? sizeof(arguments)
                                                                                         : bytes_or_none<result>;
};

// What a host thread knows of a function. Linked into a list before main().
struct host_function_entry {
  const char* name;
  const char* file;
  int line;
  std::uint32_t argument_bytes, result_bytes;
  // Replaces the arguments in the payload by the result. Returns an error code, or 0.
  std::int32_t (*call)(void* payload) noexcept;
  std::uint64_t id;
  const host_function_entry* next;
};
inline constinit const host_function_entry* first_host_function = nullptr;

// Runs `call`, which may throw, and turns an exception into an error code.
template <class Call>
std::int32_t host_error_of(Call call) noexcept {
  try {
    call();
    return 0;
  } catch (const failure& f) {
    // 0 would be a result.
    return f.error().code != 0 ? f.error().code : static_cast<std::int32_t>(errc::host_exception);
  } catch (...) {
    return static_cast<std::int32_t>(errc::host_exception);
  }
}

template <class F>
struct host_function_registrar {
  using rules = host_function_rules<F>;

  host_function_registrar(const char* name, const char* file, int line) noexcept
      : entry{name,
              file,
              line,
              static_cast<std::uint32_t>(sizeof(typename rules::arguments)),
              static_cast<std::uint32_t>(bytes_or_none<typename rules::result>),
              &host_function_registrar::call,
              host_function_id(name),
              first_host_function} {
    first_host_function = &entry;
  }

  static std::int32_t call(void* payload) noexcept {
    return host_error_of([payload] {
      using arguments = typename rules::arguments;
      run(payload, *static_cast<arguments*>(payload), std::make_index_sequence<std::tuple_size_v<arguments>>());
    });
  }

  host_function_entry entry;

 private:
  template <std::size_t... I>
  static void run(void* payload, typename rules::arguments& a, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<typename rules::result>) {
      F{}(get<I>(std::move(a))...);
    } else {
      const typename rules::result r = F{}(get<I>(std::move(a))...);  // it may be where the arguments are
      ::new (payload) typename rules::result(r);
    }
  }
};

}  // namespace detail
}  // namespace hel

#define HEL_HOST_FUNCTION(...)                                                                                         \
  template <>                                                                                                          \
  struct hel::detail::registered_host_function<__VA_ARGS__> : hel::detail::host_function_rules<__VA_ARGS__> {          \
    static constexpr bool value = true;                                                                                \
    static constexpr std::uint64_t id = hel::detail::host_function_id(#__VA_ARGS__);                                   \
    static inline const hel::detail::host_function_registrar<__VA_ARGS__> registrar{#__VA_ARGS__, __FILE__, __LINE__}; \
  }

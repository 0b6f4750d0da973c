// Values of frame members as text, for debuggers and the stepper. Nothing here allocates or throws.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "hel/abi/frame_info.hpp"

namespace hel::abi {
inline namespace v1 {

namespace detail {

inline std::size_t format_text(char* buffer, std::size_t size, std::string_view text) {
  const int shown = text.size() > 200 ? 200 : static_cast<int>(text.size());
  const int n = std::snprintf(buffer, size, "\"%.*s\"%s", shown, text.data(), text.size() > 200 ? "..." : "");
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

template <class... Args>
std::size_t format_print(char* buffer, std::size_t size, const char* how, Args... args) {
  const int n = std::snprintf(buffer, size, how, args...);
  return n < 0 ? 0 : static_cast<std::size_t>(n);
}

}  // namespace detail

// A closure's type has no name that nvcc could give to its host compiler.
inline std::size_t format_opaque(const void*, char* buffer, std::size_t size) { return detail::format_print(buffer, size, "%s", "{...}"); }

// T is the member's type without reference. Types without a printable value show as {...}.
template <class T>
std::size_t format(const void* object, char* buffer, std::size_t size) {
  using U = std::remove_cv_t<T>;
  if constexpr (std::is_array_v<U>) {
    using E = std::remove_extent_t<U>;
    constexpr std::size_t count = std::extent_v<U>;
    std::string all = "{";
    for (std::size_t i = 0; i < count && i < 16; ++i) {
      char one[256];
      format<E>(static_cast<const E*>(object) + i, one, sizeof one);
      all += (i ? ", " : "") + std::string(one);
    }
    all += count > 16 ? ", ...}" : "}";
    return detail::format_print(buffer, size, "%s", all.c_str());
  } else if constexpr (std::is_same_v<U, bool>) {
    return detail::format_print(buffer, size, "%s", *static_cast<const bool*>(object) ? "true" : "false");
  } else if constexpr (std::is_same_v<U, char>) {
    return detail::format_print(buffer, size, "'%c'", *static_cast<const char*>(object));
  } else if constexpr (std::is_enum_v<U>) {
    return format<std::underlying_type_t<U>>(object, buffer, size);
  } else if constexpr (std::is_integral_v<U>) {
    if constexpr (sizeof(U) > sizeof(long long))
      return detail::format_print(buffer, size, "%s", "{...}");
    else if constexpr (std::is_signed_v<U>)
      return detail::format_print(buffer, size, "%lld", static_cast<long long>(*static_cast<const U*>(object)));
    else
      return detail::format_print(buffer, size, "%llu", static_cast<unsigned long long>(*static_cast<const U*>(object)));
  } else if constexpr (std::is_floating_point_v<U>) {
    return detail::format_print(buffer, size, "%Lg", static_cast<long double>(*static_cast<const U*>(object)));
  } else if constexpr (std::is_same_v<U, const char*> || std::is_same_v<U, char*>) {
    const char* s = *static_cast<const char* const*>(object);
    return detail::format_print(buffer, size, "%p", static_cast<const void*>(s));
  } else if constexpr (std::is_pointer_v<U>) {
    if constexpr (std::is_function_v<std::remove_pointer_t<U>>)
      return detail::format_print(buffer, size, "%p", reinterpret_cast<const void*>(*static_cast<const U*>(object)));
    else
      return detail::format_print(buffer, size, "%p", const_cast<const void*>(static_cast<const volatile void*>(*static_cast<const U*>(object))));
  } else if constexpr (std::is_same_v<U, std::string> || std::is_same_v<U, std::string_view>) {
    return detail::format_text(buffer, size, *static_cast<const U*>(object));
  } else {
    return detail::format_print(buffer, size, "%s", "{...}");
  }
}

}  // namespace v1
}  // namespace hel::abi

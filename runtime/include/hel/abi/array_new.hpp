// new T[n]{...} whose initializer suspends: lowered code allocates the memory, then builds the elements one by one.
//
// A delete-expression must find what a new-expression would have left: the array cookie. Source: Itanium C++ ABI, 2.7,
// which GCC, Clang and nvcc follow: before the first element max(sizeof(size_t), alignof(T)) bytes, the last of them
// the number of elements (of the innermost arrays).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>

#include "hel/abi/lowered.hpp"

namespace hel::abi {
inline namespace v1 {

// In bytes. `Cookie`: elements have a destructor, or the deallocation function asks for the size.
template <class T, bool Cookie>
inline constexpr std::size_t array_cookie = !Cookie                            ? 0
                                            : alignof(T) > sizeof(std::size_t) ? alignof(T)
                                                                               : sizeof(std::size_t);

// What the allocation function is asked for. An impossible length, or one less than `given`: std::bad_array_new_length,
// or more than there can be for an allocation function that throws nothing (`Throws`).
template <class T, bool Cookie, bool Throws, class N>
HEL_HD std::size_t array_bytes(N count, std::size_t given) {
  bool possible = true;
  if constexpr (std::is_signed_v<N>) possible = count >= 0;
  const auto n = static_cast<std::size_t>(count);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 - array_cookie<T, Cookie>;
  possible = possible && n >= given && n <= most / sizeof(T);
  if (possible) return array_cookie<T, Cookie> + n * sizeof(T);
  if constexpr (Throws) {
#if defined(__CUDA_ARCH__)
    __trap();
#elif defined(__cpp_exceptions)
    throw std::bad_array_new_length();
#else
    std::abort();
#endif
  }
  return std::numeric_limits<std::size_t>::max();
}

// The first element.
template <class T, bool Cookie>
HEL_HD T* elements(void* memory) noexcept {
  return reinterpret_cast<T*>(static_cast<unsigned char*>(memory) + array_cookie<T, Cookie>);
}

template <class T>
HEL_HD void write_cookie(void* memory, std::size_t count) noexcept {
  count *= sizeof(T) / sizeof(std::remove_all_extents_t<T>);
  __builtin_memcpy(static_cast<unsigned char*>(memory) + array_cookie<T, true> - sizeof count, &count, sizeof count);
}

// Elements [given, count), for which there is no initializer. If one throws, those that it has made are gone again.
template <class T>
HEL_HD void fill(T* first, std::size_t given, std::size_t count) {
  struct part {
    T* first;
    std::size_t begin, end;
    HEL_HD ~part() {
      while (end > begin) destroy(first[--end]);
    }
  } made{first, given, given};
  for (; made.end < count; ++made.end) {
    if constexpr (std::is_array_v<T>)
      ::new (static_cast<void*>(first + made.end)) boxed<T>{};
    else
      ::new (static_cast<void*>(first + made.end)) T{};
  }
  made.end = made.begin;  // they stay
}

}  // namespace v1
}  // namespace hel::abi

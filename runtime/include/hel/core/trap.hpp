// Stops with a message, on the host and on the device.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "hel/annotate.hpp"

namespace hel::core {

#if defined(__CUDACC__)
// An assertion that fails: unlike printf it takes no memory for its arguments, and tasks have no stack.
[[noreturn]] __device__ __noinline__ inline void device_trap(const char* message) noexcept {
#  if defined(__CUDA_ARCH__)
  __assert_fail(message, "hel", 0, "task");
#  endif
  __trap();
}
#endif

[[noreturn]] HEL_HD inline void trap(const char* message) noexcept {
#if defined(__CUDA_ARCH__)
  device_trap(message);
#else
  std::fprintf(stderr, "hel: %s\n", message);
  std::abort();
#endif
}

}  // namespace hel::core

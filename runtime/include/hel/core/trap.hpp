// Stops with a message, on the host and on the device.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "hel/annotate.hpp"

namespace hel::core {

[[noreturn]] HEL_HD inline void trap(const char* message) noexcept {
#if defined(__CUDA_ARCH__)
  printf("hel: %s (block %u, thread %u)\n", message, blockIdx.x, threadIdx.x);
  __trap();
#else
  std::fprintf(stderr, "hel: %s\n", message);
  std::abort();
#endif
}

}  // namespace hel::core

// A pair of fences for Dekker-style races: the frequent side pays nothing, the rare side interrupts everyone.
//
// If thread A writes x, light_fence(), reads y, and thread B writes y, heavy_fence(), reads x, then at least one of the
// two sees the other's write. With membarrier(2) the light side is a compiler barrier only; where the kernel has no
// membarrier both sides are full fences.
#pragma once

#include <atomic>

#include "hel/core/platform.hpp"

namespace hel::exec {

// Whether the process is registered for membarrier; the registration happens before main().
extern const bool has_membarrier;
void membarrier_all() noexcept;

inline void full_fence() noexcept {
#if defined(HEL_TSAN)
  // ThreadSanitizer does not model fences; a locked operation orders the same on every target it runs on.
  static std::atomic<int> word;
  word.fetch_add(0, std::memory_order_seq_cst);
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

#if defined(HEL_PLATFORM)
inline void light_fence() noexcept {}
inline void heavy_fence() noexcept { hel_platform::heavy_fence(); }
#else
inline void light_fence() noexcept {
  if (has_membarrier) [[likely]]
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    full_fence();
}

inline void heavy_fence() noexcept {
  if (has_membarrier) [[likely]]
    membarrier_all();
  else
    full_fence();
}
#endif

}  // namespace hel::exec

// Memory of task frames: a free list per thread and size class on the CPU, the pool of the resident kernel on a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "hel/annotate.hpp"
#include "hel/core/platform.hpp"
#include "hel/core/size_class.hpp"
#if defined(__CUDACC__)
#  include "hel/cuda/device_context.hpp"
#endif

namespace hel::detail {

struct free_block {
  free_block* next;
};

// Trivial and constant-initialised, so that reaching it is a plain thread-local access. Taking and giving back a block
// is a pop and a push, without a count: a thread that frees more than it takes passes the surplus on through a depot
// (frame_memory.cpp) when its executor looks, between two tasks.
struct frame_cache {
  static constexpr std::int32_t frees_between_looks = 4096;
  free_block* head[core::size_class_count];
  std::int32_t frees_left;  // until the next look
  bool closed;              // the thread is ending: nothing is cached any more
  bool registered;          // the thread's end will flush this cache
};
inline constinit thread_local frame_cache local_frames{};

// Whether this thread is inside a lane of a group, whose stack is small.
inline constinit thread_local core::atomic<bool> in_lane{};

// The slow ways, in runtime/cpu/frame_memory.cpp.
void* refill_frames(std::size_t size_class) noexcept;  // null: out of memory
void trim_frames() noexcept;

// A thread that may free blocks says so once, or what it has cached at its end is lost.
void register_frame_cache() noexcept;

// Between tasks: passes surplus blocks on.
inline void look_at_frames() noexcept {
  if (local_frames.frees_left < 0) [[unlikely]]
    trim_frames();
}

HEL_COLD_NOEXCEPT inline void* refill(std::size_t c) noexcept { return refill_frames(c); }
[[noreturn]] HEL_COLD inline void out_of_memory() { throw std::bad_alloc(); }

HEL_HD inline void* allocate_block(std::size_t bytes) {
#if defined(__CUDA_ARCH__)
  return cuda::allocate_block(bytes);
#elif defined(HEL_ASAN) || defined(HEL_TSAN)
  return ::operator new(bytes);  // recycled blocks would hide a use after free
#else
  if (bytes > core::size_class_limit) return ::operator new(bytes);
  const std::size_t c = core::size_class_of(bytes);
  frame_cache& cache = local_frames;
  free_block* b = cache.head[c];
  if (!b) [[unlikely]] {
    void* fresh = refill(c);
    if (!fresh) out_of_memory();
    return fresh;
  }
  cache.head[c] = b->next;
  return b;
#endif
}

HEL_HD inline void free_block_of(void* p, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__CUDA_ARCH__)
  cuda::free_block(p, bytes);
#elif defined(HEL_ASAN) || defined(HEL_TSAN)
  ::operator delete(p);
#else
  if (bytes > core::size_class_limit) return ::operator delete(p);
  const std::size_t c = core::size_class_of(bytes);
  frame_cache& cache = local_frames;
  auto* b = ::new (p) free_block;
  b->next = cache.head[c];
  cache.head[c] = b;
  --cache.frees_left;
#endif
}

}  // namespace hel::detail

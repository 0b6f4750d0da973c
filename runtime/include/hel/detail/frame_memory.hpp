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
void* refill_frames(std::size_t size_class) noexcept;        // null: out of memory
void* refill_within_limit(std::size_t size_class) noexcept;  // the same for frames; null: the limit is reached, too
void trim_frames() noexcept;
void give_back_frames() noexcept;  // with a limit: when a worker has nothing to do, others may need what it has cached

// Frames of no size class, with the bytes that they were allocated with.
void* allocate_large_frame(std::size_t bytes) noexcept;
void free_large_frame(void* p, std::size_t bytes) noexcept;
[[noreturn]] void throw_out_of_frames();

// The limit of all frames (hel::cpu::frame_limit); 0: none. Returns the one before.
std::size_t set_frame_limit(std::size_t bytes) noexcept;
// Sets one while it lives; 0: does not.
class frame_limit_scope {
 public:
  explicit frame_limit_scope(std::size_t bytes) noexcept
      : set_(bytes != 0), before_(set_ ? set_frame_limit(bytes) : 0) {}
  ~frame_limit_scope() {
    if (set_) set_frame_limit(before_);
  }
  frame_limit_scope(const frame_limit_scope&) = delete;
  frame_limit_scope& operator=(const frame_limit_scope&) = delete;

 private:
  const bool set_;
  const std::size_t before_;
};
// Frames come from the reserve.
bool frames_are_short() noexcept;

// For hel::statistics.
struct frame_use {
  std::size_t out;       // bytes that are in use, or that threads have kept
  std::size_t reserved;  // bytes of pages
  std::size_t limit;
};
frame_use frames_in_use() noexcept;
// What a thread has kept: of the calling one, or of one that does nothing meanwhile.
std::size_t kept_bytes(const frame_cache& cache) noexcept;

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
  return device::allocate_block(bytes);
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

// The frame of a task.
HEL_COLD_NOEXCEPT inline void* refill_frame(std::size_t c) noexcept { return refill_within_limit(c); }
HEL_COLD_NOEXCEPT inline void* large_frame(std::size_t bytes) noexcept { return allocate_large_frame(bytes); }
[[noreturn]] HEL_COLD inline void out_of_frames() { throw_out_of_frames(); }

// Null on a device only: there is no memory. On the host that is an exception.
HEL_HD inline void* allocate_frame(std::size_t bytes) {
#if defined(__CUDA_ARCH__)
  return device::try_allocate(bytes);
#elif defined(HEL_ASAN) || defined(HEL_TSAN)
  void* const p = large_frame(bytes);
  if (!p) out_of_frames();
  return p;
#else
  void* p;
  if (bytes > core::size_class_limit) {
    p = large_frame(bytes);
  } else {
    const std::size_t c = core::size_class_of(bytes);
    frame_cache& cache = local_frames;
    if (free_block* const b = cache.head[c]) [[likely]] {
      cache.head[c] = b->next;
      return b;
    }
    p = refill_frame(c);
  }
  if (!p) out_of_frames();
  return p;
#endif
}

HEL_HD inline void free_block_of(void* p, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(__CUDA_ARCH__)
  device::free_block(p, bytes);
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

HEL_HD inline void free_frame(void* p, std::size_t bytes) noexcept {
#if !defined(__CUDA_ARCH__)
#  if defined(HEL_ASAN) || defined(HEL_TSAN)
  return free_large_frame(p, bytes);
#  else
  if (bytes > core::size_class_limit) return free_large_frame(p, bytes);
#  endif
#endif
  free_block_of(p, bytes);
}

}  // namespace hel::detail

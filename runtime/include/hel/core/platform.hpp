// The small layer that the portable protocols stand on: scoped atomics, a back-off, a pair of asymmetric fences, a
// trap.
//
// Everything else in hel/core is written once, over this file, for CPU threads and for GPU lanes. Core headers are
// under runtime/include because public templates are built from them.
#pragma once

#include <sched.h>

#include <cstdint>

#include "hel/annotate.hpp"

#include <atomic>
#if defined(__CUDACC__)
#  include <cuda/atomic>
#endif
#if defined(HEL_PLATFORM)  // a test's own atomics and waiting, namespace hel_platform (tests/explorer)
#  include HEL_PLATFORM
#endif

#if defined(__SANITIZE_THREAD__)
#  define HEL_TSAN 1
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
#    define HEL_TSAN 1
#  endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#  define HEL_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define HEL_ASAN 1
#  endif
#endif

namespace hel::core {

// How far an atomic is seen. `device`: every thread of one device (on the CPU: of the process). `system`: host and
// device together; only mailboxes that cross the bus pay for that.
enum class scope : std::uint8_t { device, system };

namespace detail {
#if defined(__CUDACC__)
template <class T, scope S>
using atomic_ref =
    ::cuda::atomic_ref<T, S == scope::device ? ::cuda::thread_scope_device : ::cuda::thread_scope_system>;
using ::cuda::std::memory_order_acq_rel;
using ::cuda::std::memory_order_acquire;
using ::cuda::std::memory_order_relaxed;
using ::cuda::std::memory_order_release;
using ::cuda::std::memory_order_seq_cst;
#else
#  if defined(HEL_PLATFORM)
template <class T, scope S>
using atomic_ref = hel_platform::atomic_ref<T>;
#  else
template <class T, scope S>
using atomic_ref = std::atomic_ref<T>;
#  endif
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;
#endif
}  // namespace detail

// An atomic word whose layout is that of T on both sides. Operations are named by their ordering, so that a reader sees
// at the call what is published and what is read.
template <class T, scope S = scope::device>
class atomic {
 public:
  constexpr atomic() noexcept = default;
  HEL_HD constexpr explicit atomic(T v) noexcept : value_(v) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  HEL_HD T load_relaxed() const noexcept { return ref(value_).load(detail::memory_order_relaxed); }
  HEL_HD T load_acquire() const noexcept { return ref(value_).load(detail::memory_order_acquire); }
  HEL_HD void store_relaxed(T v) noexcept { ref(value_).store(v, detail::memory_order_relaxed); }
  HEL_HD void store_release(T v) noexcept { ref(value_).store(v, detail::memory_order_release); }
  HEL_HD T exchange_acquire(T v) noexcept { return ref(value_).exchange(v, detail::memory_order_acquire); }
  HEL_HD T exchange_acq_rel(T v) noexcept { return ref(value_).exchange(v, detail::memory_order_acq_rel); }
  HEL_HD T fetch_add_relaxed(T v) noexcept { return ref(value_).fetch_add(v, detail::memory_order_relaxed); }
  HEL_HD T fetch_sub_acq_rel(T v) noexcept { return ref(value_).fetch_sub(v, detail::memory_order_acq_rel); }
  // On failure `expected` holds what was found.
  HEL_HD bool cas_acq_rel(T& expected, T desired) noexcept {
    return ref(value_).compare_exchange_strong(expected, desired, detail::memory_order_acq_rel,
                                               detail::memory_order_acquire);
  }
  HEL_HD bool cas_seq_cst(T& expected, T desired) noexcept {
    return ref(value_).compare_exchange_strong(expected, desired, detail::memory_order_seq_cst,
                                               detail::memory_order_relaxed);
  }
  HEL_HD bool cas_relaxed(T& expected, T desired) noexcept {
    return ref(value_).compare_exchange_weak(expected, desired, detail::memory_order_relaxed,
                                             detail::memory_order_relaxed);
  }

 private:
  using ref = detail::atomic_ref<T, S>;
  alignas(sizeof(T)) mutable T value_{};
};

// For what only the host has.
template <class T>
#if defined(HEL_PLATFORM)
using host_atomic = hel_platform::atomic<T>;
#else
using host_atomic = std::atomic<T>;
#endif

// Ends the program: an invariant is broken or this target cannot do what was asked.
[[noreturn]] HEL_HD inline void trap(const char* message) noexcept;

// Waits a little longer each time, then gives the processor away. For the short critical sections of this folder only:
// whoever may wait long suspends instead.
class backoff {
 public:
  HEL_HD void pause() noexcept {
#if defined(__CUDA_ARCH__)
    __nanosleep(delay_);
    if (delay_ < 1024) delay_ *= 2;
#elif defined(HEL_PLATFORM)
    hel_platform::pause();
#else
    if (delay_ > 64) {
      sched_yield();  // the holder may need this very core
      return;
    }
    for (unsigned i = 0; i < delay_; ++i) relax();
    delay_ *= 2;
#endif
  }

 private:
  static void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }
  unsigned delay_ = 1;
};

}  // namespace hel::core

#include "hel/core/trap.hpp"

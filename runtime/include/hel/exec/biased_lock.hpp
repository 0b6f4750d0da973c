// A lock for short sections that costs the thread that takes it again and again no locked operation.
//
// After some uses in a row by one worker the lock is biased to it: it enters by two plain stores. Another thread that
// comes takes the bias away, which costs a heavy fence, and the lock is a spin lock again; each time that happens more
// uses in a row are asked for, so that threads which share the lock pay for few.
//
// Where a worker is inside by its bias it says so in a cell of its own, not in the lock: it may be held up on its way
// in for so long that another one has the bias meanwhile, whose word it must not touch.
//
// A thread is in one such lock at a time, as it has one cell.
//
// Source: the asymmetric Dekker protocol of D. Dice, M. Moir, W. Scherer, "Quickly reacquirable locks", 2003.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "hel/core/spin_lock.hpp"
#include "hel/exec/asymmetric_fence.hpp"
#include "hel/exec/local_worker.hpp"

namespace hel::exec {

// Of one thread at a time. Never freed: a lock may remember it when the thread has gone; the next thread that has the
// cell then has the bias.
struct bias_cell {
  core::host_atomic<const void*> inside{nullptr};  // the lock in which the thread is by its bias
  bias_cell* next = nullptr;
};

// Null: the thread has no bias anywhere.
inline constinit thread_local bias_cell* this_bias_cell = nullptr;

// For as long as it lives, locks may be biased to the calling thread.
class bias_scope {
 public:
  bias_scope() {
    const std::lock_guard lock(mutex_);
    if (free_) {
      this_bias_cell = free_;
      free_ = free_->next;
    } else {
      this_bias_cell = new bias_cell;
    }
  }
  bias_scope(const bias_scope&) = delete;
  ~bias_scope() {
    const std::lock_guard lock(mutex_);
    this_bias_cell->next = free_;
    free_ = this_bias_cell;
    this_bias_cell = nullptr;
  }

 private:
  static inline constinit std::mutex mutex_;
  static inline constinit bias_cell* free_ = nullptr;
};

// FirstUses: in a row, until the lock is biased for the first time.
template <std::uint32_t FirstUses>
class basic_biased_lock {
 public:
  basic_biased_lock() = default;
  basic_biased_lock(const basic_biased_lock&) = delete;
  basic_biased_lock& operator=(const basic_biased_lock&) = delete;

  class guard {
   public:
    explicit guard(basic_biased_lock& l) noexcept : lock_(l), cell_(l.enter_biased()) {
      if (!cell_) [[unlikely]]
        l.lock_shared();
    }
    ~guard() {
      if (cell_) [[likely]]
        cell_->inside.store(nullptr, std::memory_order_release);  // whoever takes the bias away sees what was written
      else
        lock_.shared_.unlock();
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;

   private:
    basic_biased_lock& lock_;
    bias_cell* const cell_;  // null: it is held as a spin lock
  };

 private:
  static bias_cell* cell_of_thread() noexcept {
#if defined(HEL_TSAN)
    if (!this_worker) return nullptr;  // a lane, to ThreadSanitizer a thread of its own
#endif
    return this_bias_cell;
  }

  // Null: the calling thread has no bias here.
  bias_cell* enter_biased() noexcept {
    bias_cell* const c = cell_of_thread();
    if (owner_.load(std::memory_order_relaxed) != c || !c) return nullptr;
#if !defined(NDEBUG)
    if (c->inside.load(std::memory_order_relaxed)) core::trap("a biased lock is taken inside of another one");
#endif
    c->inside.store(this, std::memory_order_relaxed);
    // Without it the owner could be read before `inside` is seen: both threads would enter. Pairs with the heavy fence
    // below.
    light_fence();
    if (owner_.load(std::memory_order_relaxed) == c) [[likely]]
      return c;
    c->inside.store(nullptr, std::memory_order_release);
    return nullptr;
  }

  HEL_COLD_NOEXCEPT void lock_shared() noexcept {
    shared_.lock();
    if (bias_cell* const had = owner_.load(std::memory_order_relaxed)) {
      owner_.store(nullptr, std::memory_order_relaxed);
      heavy_fence();
      core::backoff wait;
      while (had->inside.load(std::memory_order_acquire) == this) wait.pause();
      if (uses_asked_ < most_uses_asked) uses_asked_ *= 2;
    }
    bias_cell* const c = cell_of_thread();
    if (c != last_) {
      last_ = c;
      uses_ = 0;
    }
    if (c && ++uses_ >= uses_asked_) {
      uses_ = 0;
      owner_.store(c, std::memory_order_relaxed);  // read by its thread alone before somebody else takes `shared_`
    }
  }

  static constexpr std::uint32_t most_uses_asked = 1u << 20;

  core::host_atomic<bias_cell*> owner_{nullptr};     // written with `shared_` held
  std::uint32_t uses_ = 0, uses_asked_ = FirstUses;  // with `shared_`
  bias_cell* last_ = nullptr;
  core::spin_lock shared_;
};

using biased_lock = basic_biased_lock<16>;

}  // namespace hel::exec

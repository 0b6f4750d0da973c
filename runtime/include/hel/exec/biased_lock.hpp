// A lock for short sections that costs the worker that takes it again and again no locked operation.
//
// After some uses in a row by one worker the lock is biased to it: it enters by two plain stores. Another thread that
// comes takes the bias away, which costs a heavy fence, and the lock is a spin lock again; each time that happens more
// uses in a row are asked for, so that threads which share the lock pay for few.
//
// Source: the asymmetric Dekker protocol of D. Dice, M. Moir, W. Scherer, "Quickly reacquirable locks", 2003.
#pragma once

#include <atomic>
#include <cstdint>

#include "hel/core/spin_lock.hpp"
#include "hel/exec/asymmetric_fence.hpp"
#include "hel/exec/local_worker.hpp"

namespace hel::exec {

class biased_lock {
 public:
  biased_lock() = default;
  biased_lock(const biased_lock&) = delete;
  biased_lock& operator=(const biased_lock&) = delete;

  class guard {
   public:
    explicit guard(biased_lock& l) noexcept : lock_(l), biased_(l.enter_biased()) {
      if (!biased_) [[unlikely]]
        l.lock_shared();
    }
    ~guard() {
      if (biased_) [[likely]]
        lock_.inside_.store(0, std::memory_order_release);  // whoever takes the bias away sees what was written
      else
        lock_.shared_.unlock();
    }
    guard(const guard&) = delete;
    guard& operator=(const guard&) = delete;

   private:
    biased_lock& lock_;
    const bool biased_;
  };

 private:
  bool enter_biased() noexcept {
    local_worker* const w = this_worker;
    if (owner_.load(std::memory_order_relaxed) != w || !w) return false;
    inside_.store(1, std::memory_order_relaxed);
    // Without it the owner could be read before `inside_` is seen: both threads would enter. Pairs with the heavy fence
    // below.
    light_fence();
    if (owner_.load(std::memory_order_relaxed) == w) [[likely]]
      return true;
    inside_.store(0, std::memory_order_release);
    return false;
  }

  HEL_COLD_NOEXCEPT void lock_shared() noexcept {
    shared_.lock();
    if (owner_.load(std::memory_order_relaxed)) {
      owner_.store(nullptr, std::memory_order_relaxed);
      heavy_fence();
      core::backoff wait;
      while (inside_.load(std::memory_order_acquire) != 0) wait.pause();
      if (uses_asked_ < most_uses_asked) uses_asked_ *= 2;
    }
    local_worker* const w = this_worker;
    if (w != last_) {
      last_ = w;
      uses_ = 0;
    }
    if (w && ++uses_ >= uses_asked_) {
      uses_ = 0;
      owner_.store(w, std::memory_order_relaxed);  // read by `w` alone before somebody else takes `shared_`
    }
  }

  static constexpr std::uint32_t most_uses_asked = 1u << 20;

  core::host_atomic<local_worker*> owner_{nullptr};  // written with `shared_` held
  core::host_atomic<std::uint32_t> inside_{0};       // written by the owner
  std::uint32_t uses_ = 0, uses_asked_ = 16;         // with `shared_`
  local_worker* last_ = nullptr;
  core::spin_lock shared_;
};

}  // namespace hel::exec

// A lock for critical sections of a few instructions that never suspend.
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

class spin_guard;

class spin_lock {
 public:
  using guard = spin_guard;
  HEL_HD void lock() noexcept {
    backoff wait;
    // Acquire: what the last holder wrote must be visible before the section reads it.
    while (word_.exchange_acquire(1) != 0) {
      while (word_.load_relaxed() != 0) wait.pause();
    }
  }
  // Release: the section's writes must be visible before the next holder sees the lock free.
  HEL_HD void unlock() noexcept { word_.store_release(0); }

 private:
  atomic<std::uint32_t> word_;
};

class spin_guard {
 public:
  HEL_HD explicit spin_guard(spin_lock& l) noexcept : lock_(l) { lock_.lock(); }
  HEL_HD ~spin_guard() { lock_.unlock(); }
  spin_guard(const spin_guard&) = delete;
  spin_guard& operator=(const spin_guard&) = delete;

 private:
  spin_lock& lock_;
};

}  // namespace hel::core

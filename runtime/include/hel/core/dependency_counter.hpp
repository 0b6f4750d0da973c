// Counts what is still outstanding; the arrival that brings it to zero continues whoever depends on it.
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

template <scope S = scope::device>
class dependency_counter {
 public:
  HEL_HD explicit dependency_counter(std::uint32_t n = 0) noexcept : left_(n) {}
  HEL_HD void reset(std::uint32_t n) noexcept { left_.store_relaxed(n); }

  // More to wait for. Only while something is outstanding, so that no arrival is the last one meanwhile.
  HEL_HD void add(std::uint32_t n) noexcept { left_.fetch_add_relaxed(n); }
  // One arrival, or several at once. True for exactly one caller, the last. Release publishes this arrival's results,
  // acquire lets the last caller read everyone's. Who finds that nobody else is outstanding is the last, without a
  // locked operation; the counter keeps its value then.
  HEL_HD bool arrive(std::uint32_t n = 1) noexcept {
    return left_.load_acquire() == n || left_.fetch_sub_acq_rel(n) == n;
  }

 private:
  atomic<std::uint32_t, S> left_;
};

}  // namespace hel::core

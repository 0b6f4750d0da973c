// The ready frames of one warp: its lanes push while they run tasks, the warp takes and gives between two steps.
//
// Newest first, so that a warp goes deep before it goes wide and the number of frames stays bounded; what it gives away
// are the oldest, which stand for the most work. In a block's shared memory; zeroed is empty.
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

template <class T, std::uint32_t Capacity>
class ready_stack {
  static_assert((Capacity & (Capacity - 1)) == 0);

 public:
  // By any lane during a step, also by several at once. False: full.
  HEL_HD bool push(T value) noexcept {
    // Relaxed: items are read after a barrier of the warp only.
    const std::uint32_t at = top_.fetch_add_relaxed(1);
    if (at - bottom_ >= Capacity) return false;
    items_[at % Capacity] = value;
    return true;
  }

  // The rest between two steps, the warp being together.

  // By one lane, before the others: forgets the places that were asked for in vain. How many there are.
  HEL_HD std::uint32_t settle() noexcept {
    const std::uint32_t top = top_.load_relaxed();
    if (top - bottom_ <= Capacity) return top - bottom_;
    top_.store_relaxed(bottom_ + Capacity);
    return Capacity;
  }
  // The one that is i-th from the top, or from the bottom: by each lane; then drop() by one.
  HEL_HD T newest(std::uint32_t i) const noexcept { return items_[(top_.load_relaxed() - 1 - i) % Capacity]; }
  HEL_HD T oldest(std::uint32_t i) const noexcept { return items_[(bottom_ + i) % Capacity]; }
  HEL_HD void drop_newest(std::uint32_t n) noexcept { top_.store_relaxed(top_.load_relaxed() - n); }
  HEL_HD void drop_oldest(std::uint32_t n) noexcept { bottom_ += n; }

 private:
  atomic<std::uint32_t> top_;
  std::uint32_t bottom_ = 0;
  T items_[Capacity] = {};
};

}  // namespace hel::core

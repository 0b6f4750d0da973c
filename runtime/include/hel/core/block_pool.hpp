// Equal blocks carved from one arena, with a lock-free free list; one pool per size class is the frame memory of a
// device.
//
// The list head packs a block index and a tag into one word: the tag changes with every take, so that a block that was
// taken and given back meanwhile is not mistaken for an unchanged head (the ABA problem of a Treiber stack).
#pragma once

#include <cstddef>

#include "hel/core/platform.hpp"

namespace hel::core {

template <scope S = scope::device>
class block_pool {
 public:
  // `arena` has count * block_bytes bytes, aligned to 16, and stays the caller's. `links` has `count` words. Blocks
  // that were never used come from the arena in order, so nothing is initialised up front.
  HEL_HD block_pool(void* arena, atomic<std::uint32_t, S>* links, std::size_t block_bytes, std::uint32_t count) noexcept
      : arena_(static_cast<unsigned char*>(arena)), links_(links), block_bytes_(block_bytes), count_(count) {}

  static constexpr std::uint32_t none = ~0u;

  // Null when exhausted.
  HEL_HD void* take() noexcept {
    const std::uint32_t i = take_index();
    return i == none ? nullptr : block(i);
  }
  HEL_HD void give_back(void* p) noexcept {
    give_back_index(static_cast<std::uint32_t>((static_cast<unsigned char*>(p) - arena_) / block_bytes_));
  }

  // The same by the block's place in the arena; none when exhausted.
  HEL_HD std::uint32_t take_index() noexcept {
    std::uint64_t head = head_.load_acquire();
    while (index(head) != none) {
      // Acquire on the head: the link below was written by the thread that gave the block back.
      const std::uint32_t next = links_[index(head)].load_relaxed();
      if (head_.cas_acq_rel(head, pack(next, tag(head) + 1))) return index(head);
    }
    std::uint32_t fresh = fresh_.load_relaxed();
    while (fresh < count_) {
      if (fresh_.cas_relaxed(fresh, fresh + 1)) return fresh;
    }
    return none;
  }

  HEL_HD void give_back_index(std::uint32_t i) noexcept {
    std::uint64_t head = head_.load_relaxed();
    do {
      links_[i].store_relaxed(index(head));
    } while (!head_.cas_acq_rel(head, pack(i, tag(head))));  // release: publishes the link
  }

  HEL_HD bool owns(const void* p) const noexcept {
    const auto* b = static_cast<const unsigned char*>(p);
    return b >= arena_ && b < arena_ + block_bytes_ * count_;
  }
  HEL_HD std::size_t block_bytes() const noexcept { return block_bytes_; }

 private:
  // Index plus one, so that a zeroed head is an empty list.
  HEL_HD static std::uint32_t index(std::uint64_t head) noexcept { return static_cast<std::uint32_t>(head) - 1; }
  HEL_HD static std::uint64_t tag(std::uint64_t head) noexcept { return head >> 32; }
  HEL_HD static std::uint64_t pack(std::uint32_t index, std::uint64_t tag) noexcept {
    return (tag << 32) | static_cast<std::uint32_t>(index + 1);
  }
  HEL_HD void* block(std::uint32_t i) const noexcept { return arena_ + block_bytes_ * i; }

  unsigned char* arena_;
  atomic<std::uint32_t, S>* links_;
  std::size_t block_bytes_;
  std::uint32_t count_;
  atomic<std::uint32_t, S> fresh_;
  atomic<std::uint64_t, S> head_;
};

}  // namespace hel::core

// The frame memory of a device: blocks of all size classes from one arena.
//
// A class without free blocks takes new ones from a slab of its own, and another slab from the arena when that is used
// up; slabs stay with their class. Free blocks are listed by number, lock-free, with a tag against the ABA problem (see
// block_pool.hpp). Whoever fetches a slab holds up the others of that class for some instructions, in which nothing is
// waited for. Short on purpose: a device inlines it wherever a frame is made.
#pragma once

#include <cstddef>

#include "hel/core/platform.hpp"
#include "hel/core/size_class.hpp"

namespace hel::core {

class frame_store {
 public:
  using link = atomic<std::uint32_t>;
  static constexpr std::size_t smallest_block = 32;  // each block has a link of its own
  static constexpr std::size_t slab_bytes = 16384;
  static constexpr std::size_t largest_block = slab_bytes;

  // How many links an arena of so many bytes needs.
  HEL_HD static constexpr std::size_t links(std::size_t arena_bytes) noexcept { return arena_bytes / smallest_block; }

  // `arena`: aligned to 16, at most 64 GiB, with `links(bytes)` words beside it. Both stay the caller's; nothing in
  // them is initialised.
  HEL_HD frame_store(void* arena, std::size_t bytes, link* links) noexcept
      : arena_(static_cast<unsigned char*>(arena)), links_(links),
        slabs_(static_cast<std::uint32_t>(bytes / slab_bytes)) {}

  // What a block is for. Whoever makes a task can say that there is no memory for it; others cannot always, so some
  // slabs are kept for them.
  enum class use : std::uint8_t { tasks, others };
  HEL_HD static constexpr std::uint32_t kept_slabs(std::uint32_t of) noexcept { return of / 8; }

  // Null: there is no memory left for blocks of this size and use, or it is larger than largest_block.
  HEL_HD void* take(std::size_t bytes, use what = use::others) noexcept {
    if (bytes > largest_block) return nullptr;
    const std::size_t c = class_of(bytes);
    list& l = lists_[c];
    std::uint64_t head = l.head.load_acquire();
    while (number(head) != none) {
      // Acquire on the head: the link was written by the thread that gave the block back.
      const std::uint32_t next = link_of(number(head)).load_relaxed();
      if (l.head.cas_acq_rel(head, pack(next, (head >> 32) + 1))) return block(number(head));
    }
    return take_new(l, static_cast<std::uint32_t>(bytes_of(c) / 16),
                    what == use::tasks ? slabs_ - kept_slabs(slabs_) : slabs_);
  }

  HEL_HD void give_back(void* p, std::size_t bytes) noexcept {
    const std::uint32_t at = number_of(p);
    list& l = lists_[class_of(bytes)];
    std::uint64_t head = l.head.load_relaxed();
    do {
      link_of(at).store_relaxed(number(head));
    } while (!l.head.cas_acq_rel(head, pack(at, head >> 32)));  // release: publishes the link
  }

  // Above the classes of the host's frames there are four, of twice the size each.
  static constexpr std::size_t large_classes = 4;
  static_assert(size_class_limit << large_classes == largest_block);
  HEL_HD static constexpr std::size_t class_of(std::size_t bytes) noexcept {
    if (bytes > size_class_limit) {
      std::size_t c = 1;
      while (bytes > size_class_limit << c) ++c;
      return size_class_count + c - 1;
    }
    return size_class_of(bytes < smallest_block ? smallest_block : bytes);
  }
  static constexpr std::size_t class_count = size_class_count + large_classes;
  // Of a block.
  HEL_HD std::uint32_t number_of(const void* p) const noexcept {
    return static_cast<std::uint32_t>((static_cast<const unsigned char*>(p) - arena_) / 16);
  }
  HEL_HD void* block(std::uint32_t number) const noexcept { return arena_ + std::size_t{number} * 16; }

  // Times that take() had nothing to give.
  HEL_HD std::uint64_t refused() const noexcept { return refused_.load_relaxed(); }
  HEL_HD std::uint64_t slabs_used() const noexcept { return next_slab_.load_relaxed(); }

 private:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::uint64_t fetching = ~std::uint64_t{0};
  struct list {
    atomic<std::uint64_t> head;   // number plus one, so that a zeroed head is an empty list; above it the tag
    atomic<std::uint64_t> fresh;  // of the class's slab: the next new block, above it the slab's end
  };

  HEL_HD static constexpr std::size_t bytes_of(std::size_t c) noexcept {
    return c < size_class_count ? size_class_bytes(c) : size_class_limit << (c - size_class_count + 1);
  }
  HEL_HD static std::uint32_t number(std::uint64_t head) noexcept { return static_cast<std::uint32_t>(head) - 1; }
  HEL_HD static std::uint64_t pack(std::uint32_t number, std::uint64_t tag) noexcept {
    return (tag << 32) | static_cast<std::uint32_t>(number + 1);
  }
  // Blocks begin at least 32 bytes apart, so that no two share a link.
  HEL_HD link& link_of(std::uint32_t number) const noexcept { return links_[number / 2]; }

  // most: slabs that may be used.
  HEL_HD void* take_new(list& l, std::uint32_t step, std::uint32_t most) noexcept {
    backoff wait;
    for (;;) {
      std::uint64_t fresh = l.fresh.load_acquire();
      if (fresh == fetching) {
        wait.pause();
        continue;
      }
      const auto at = static_cast<std::uint32_t>(fresh), end = static_cast<std::uint32_t>(fresh >> 32);
      if (at + step <= end) {
        if (l.fresh.cas_acq_rel(fresh, fresh + step)) return block(at);
        continue;
      }
      if (!l.fresh.cas_acq_rel(fresh, fetching)) continue;
      std::uint32_t slab = next_slab_.load_relaxed();
      while (slab < most && !next_slab_.cas_relaxed(slab, slab + 1)) {
      }
      if (slab >= most) {
        l.fresh.store_release(fresh);
        refused_.fetch_add_relaxed(1);
        return nullptr;
      }
      constexpr auto units = static_cast<std::uint32_t>(slab_bytes / 16);
      const std::uint32_t first = slab * units;
      l.fresh.store_release(std::uint64_t{first + units} << 32 | (first + step));
      return block(first);
    }
  }

  unsigned char* arena_;
  link* links_;
  std::uint32_t slabs_;
  atomic<std::uint32_t> next_slab_;
  atomic<std::uint64_t> refused_;
  list lists_[class_count];
};

}  // namespace hel::core

// The free blocks that a lane keeps for itself, in front of the frame store that all lanes share: as long as it takes
// about as many as it gives back, no other lane hears of it.
//
// Two chains for each size class (J. Bonwick's magazines, USENIX 2001): blocks come from and go to the first; when that
// is full it becomes the second, and when it is empty the second becomes the first, so that a lane which takes and
// gives back around the limit goes to the store once for every `longest` blocks.
#pragma once

#include "hel/core/frame_store.hpp"

namespace hel::core {

class frame_cache {
 public:
  // For a class: the first chain in the lower half, the second in the upper one; block numbers plus one, 0: empty.
  using cell = std::uint64_t;
  static constexpr std::size_t cells_of_lane = frame_store::class_count;

  // How long chains may get, so that what lanes keep of a few sizes is a small part of the memory.
  HEL_HD static constexpr std::uint32_t longest_for(std::size_t arena_bytes, std::size_t lanes) noexcept {
    const std::size_t n = arena_bytes / (lanes * 1024);
    return n < 1 ? 1 : n > 16 ? 16 : static_cast<std::uint32_t>(n);
  }

  // `cells`: the calling lane's, zeroed in the beginning, one for each class, `stride` apart. The store's arena must be
  // zeroed in the beginning, too.
  HEL_HD frame_cache(frame_store& store, cell* cells, std::uint32_t stride, std::uint32_t longest) noexcept
      : store_(store), cells_(cells), stride_(stride), longest_(longest) {}

  // As of frame_store.
  HEL_HD void* take(std::size_t bytes, frame_store::use what = frame_store::use::others) noexcept {
    if (bytes > frame_store::largest_block) return nullptr;
    cell& mine = cells_[frame_store::class_of(bytes) * stride_];
    cell c = mine;
    if (c == 0) {
      void* const p = store_.take(bytes, what);  // the first of a chain
      if (p) mine = static_cast<const node*>(p)->next;
      return p;
    }
    if (first(c) == 0) c >>= 32;
    node* const n = at(first(c));
    mine = (c & second_mask) | n->next;
    return n;
  }

  HEL_HD void give_back(void* p, std::size_t bytes) noexcept {
    cell& mine = cells_[frame_store::class_of(bytes) * stride_];
    cell c = mine;
    std::uint32_t length = first(c) == 0 ? 0 : at(first(c))->length;
    if (length >= longest_) {
      if (c >> 32) store_.give_back(at(static_cast<std::uint32_t>(c >> 32)), bytes);
      c <<= 32;
      length = 0;
    }
    auto* const n = static_cast<node*>(p);
    n->next = first(c);
    n->length = length + 1;
    mine = (c & second_mask) | (store_.number_of(p) + 1);
  }

 private:
  static constexpr cell second_mask = ~cell{0} << 32;
  // In a free block.
  struct node {
    std::uint32_t next;    // number plus one
    std::uint32_t length;  // of the chain from here on
  };
  static_assert(sizeof(node) <= frame_store::smallest_block);

  HEL_HD static std::uint32_t first(cell c) noexcept { return static_cast<std::uint32_t>(c); }
  HEL_HD node* at(std::uint32_t number_plus_one) const noexcept {
    return static_cast<node*>(store_.block(number_plus_one - 1));
  }

  frame_store& store_;
  cell* cells_;
  std::uint32_t stride_;
  std::uint32_t longest_;
};

}  // namespace hel::core

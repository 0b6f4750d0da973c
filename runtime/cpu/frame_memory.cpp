// The slow ways of frame memory: what a thread's free list cannot give or hold goes through a depot that all share.
#include "hel/detail/frame_memory.hpp"

#include <mutex>

namespace hel::detail {
namespace {

// Blocks that threads had in surplus, by size class, in chains of at most `frame_cache::keep`.
class depot {
 public:
  free_block* take(std::size_t c) noexcept {
    const std::lock_guard lock(mutex_);
    chain* first = chains_[c];
    if (first) chains_[c] = first->next_chain;
    return first;
  }
  void give(std::size_t c, free_block* head) noexcept {
    auto* first = static_cast<chain*>(head);
    const std::lock_guard lock(mutex_);
    first->next_chain = chains_[c];
    chains_[c] = first;
  }

 private:
  struct chain : free_block {  // the smallest block has room for both links
    chain* next_chain;
  };
  std::mutex mutex_;
  chain* chains_[core::size_class_count] = {};
};

// Never destroyed: frames may be freed while static objects go. What it holds stays reachable.
depot& the_depot() noexcept {
  static depot* d = new depot;
  return *d;
}

// Hands a thread's blocks to the depot when the thread ends.
struct flush_at_thread_end {
  flush_at_thread_end() {
    the_depot();
    local_frames.registered = true;
  }
  ~flush_at_thread_end() {
    frame_cache& cache = local_frames;
    cache.closed = true;
    cache.registered = false;
    for (std::size_t c = 0; c < core::size_class_count; ++c) {
      if (cache.head[c]) the_depot().give(c, cache.head[c]);
      cache.head[c] = nullptr;
      cache.count[c] = 0;
    }
  }
};

bool use_cache() {
  if (local_frames.closed) return false;
  static thread_local flush_at_thread_end flush;
  (void)flush;
  return true;
}

}  // namespace

void* refill_frames(std::size_t c) {
  if (use_cache()) {
    if (free_block* head = the_depot().take(c)) {
      std::uint32_t n = 0;
      for (free_block* b = head->next; b; b = b->next) ++n;
      local_frames.head[c] = head->next;
      local_frames.count[c] = n;
      return head;
    }
  }
  return ::operator new(core::size_class_bytes(c));
}

void spill_frames(std::size_t c, free_block* b) noexcept {
  frame_cache& cache = local_frames;
  if (!use_cache()) {
    ::operator delete(b);
    return;
  }
  if (cache.count[c] >= frame_cache::keep) {
    the_depot().give(c, cache.head[c]);
    cache.head[c] = nullptr;
    cache.count[c] = 0;
  }
  b->next = cache.head[c];
  cache.head[c] = b;
  ++cache.count[c];
}

}  // namespace hel::detail

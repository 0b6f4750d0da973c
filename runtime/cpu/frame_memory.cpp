// The slow ways of frame memory: what a thread's free list cannot give or hold goes through a depot that all share.
#include "hel/detail/frame_memory.hpp"

#include <mutex>

namespace hel::detail {
namespace {

// As many blocks of a class as a thread keeps, and as go to the depot and back at once.
constexpr std::uint32_t chain_length = 512;

// Blocks that threads had in surplus, by size class, in chains of at most `chain_length`.
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

// Hands all of a list but the first `keep` blocks to the depot.
void pass_on(free_block*& list, std::size_t c, std::uint32_t keep) noexcept {
  free_block** at = &list;
  for (std::uint32_t i = 0; i < keep && *at; ++i) at = &(*at)->next;
  free_block* surplus = *at;
  *at = nullptr;
  while (surplus) {
    free_block* const head = surplus;
    free_block* last = surplus;
    for (std::uint32_t i = 1; i < chain_length && last->next; ++i) last = last->next;
    surplus = last->next;
    last->next = nullptr;
    the_depot().give(c, head);
  }
}

struct flush_at_thread_end {
  flush_at_thread_end() { the_depot(); }
  ~flush_at_thread_end() {
    frame_cache& cache = local_frames;
    cache.closed = true;
    for (std::size_t c = 0; c < core::size_class_count; ++c) pass_on(cache.head[c], c, 0);
  }
};

}  // namespace

void register_frame_cache() noexcept {
  frame_cache& cache = local_frames;
  if (cache.registered) return;
  cache.registered = true;
  cache.frees_left = frame_cache::frees_between_looks;
  static thread_local flush_at_thread_end flush;
  (void)flush;
}

void* refill_frames(std::size_t c) noexcept {
  frame_cache& cache = local_frames;
  register_frame_cache();
  // What is freed after the thread's end began is passed on by the next such call, or lost with the thread.
  if (cache.closed) return ::operator new(core::size_class_bytes(c), std::nothrow);
  if (free_block* head = the_depot().take(c)) {
    cache.head[c] = head->next;
    return head;
  }
  return ::operator new(core::size_class_bytes(c), std::nothrow);
}

void trim_frames() noexcept {
  frame_cache& cache = local_frames;
  register_frame_cache();
  cache.frees_left = frame_cache::frees_between_looks;
  for (std::size_t c = 0; c < core::size_class_count; ++c) pass_on(cache.head[c], c, cache.closed ? 0 : chain_length);
}

}  // namespace hel::detail

// The slow ways of frame memory: what a thread's free list cannot give or hold goes through a depot that all share.
#include "hel/detail/frame_memory.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#if defined(__linux__)
#  include <sys/mman.h>
#endif

#include "hel/detail/context.hpp"
#include "hel/error.hpp"
#include "hel/exec/local_worker.hpp"

namespace hel::detail {
namespace {

// As many blocks of a class as a thread keeps, and as it takes from the depot at once, at most.
constexpr std::uint32_t kept_blocks = 512, taken_blocks = 64;

// Bytes that task frames and the threads' lists have, and how many they may have; 0: any number.
std::atomic<std::size_t> bytes_out{0}, limit{0};
// Bytes of pages that were made; only counted.
std::atomic<std::size_t> bytes_reserved{0};

// What is there beyond the limit: enough for tasks that run at once to be over (hel::spawn).
std::size_t with_reserve(std::size_t bytes) noexcept { return bytes + bytes / 4; }

// How many more blocks of that size a thread may have, `most` at most.
std::uint32_t allowed(std::size_t block_bytes, std::uint32_t most) noexcept {
  const std::size_t bound = limit.load(std::memory_order_relaxed);
  if (bound == 0) return most;
  const std::size_t out = bytes_out.load(std::memory_order_relaxed);
  if (out + block_bytes <= bound)
    return static_cast<std::uint32_t>(std::min<std::size_t>(most, (bound - out) / block_bytes));
  if (exec::local_worker* const w = exec::this_worker) w->deque.let_none_wait();
  return out + block_bytes <= with_reserve(bound) ? 1 : 0;
}

// A part of memory with blocks of one class. Which of them lie in the depot is kept beside them in bits, not in the
// blocks: they are given out in the order of their addresses however they came back, and are not touched before.
struct page {
  static constexpr std::size_t bytes = std::size_t{1} << 16, granule = 16;
  static constexpr std::size_t words = bytes / granule / 64;

  page* next = nullptr;
  std::uint32_t free = 0, first_word = 0;  // there is none before that word
  std::uint64_t bits[words] = {};          // by the address of a block

  static page& of(void* block) noexcept {
    return *reinterpret_cast<page*>(reinterpret_cast<std::uintptr_t>(block) & ~(bytes - 1));
  }
  explicit page(std::size_t block_bytes) noexcept {
    const std::size_t header = (sizeof(page) + 63) / 64 * 64;
    for (std::size_t at = header; at + block_bytes <= bytes; at += block_bytes)
      give(reinterpret_cast<char*>(this) + at);
  }
  void give(void* block) noexcept {
    const std::size_t i = (reinterpret_cast<std::uintptr_t>(block) & (bytes - 1)) / granule;
    bits[i / 64] |= std::uint64_t{1} << (i % 64);
    first_word =
        free == 0 ? static_cast<std::uint32_t>(i / 64) : std::min(first_word, static_cast<std::uint32_t>(i / 64));
    ++free;
  }
  free_block* take() noexcept {
    while (bits[first_word] == 0) ++first_word;
    const auto bit = static_cast<std::size_t>(std::countr_zero(bits[first_word]));
    bits[first_word] &= bits[first_word] - 1;
    --free;
    return reinterpret_cast<free_block*>(reinterpret_cast<char*>(this) + (first_word * 64 + bit) * granule);
  }
};

// Where pages come from: pieces that double up to the size of a huge page, which saves an application with many tasks
// most of its page faults and address translations. Never given back.
class arena {
 public:
  page* take(std::size_t block_bytes) noexcept {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) {
      at_ = static_cast<unsigned char*>(std::aligned_alloc(piece_, piece_));
      if (!at_) return nullptr;
#if defined(__linux__)
      if (piece_ == huge_page) (void)madvise(at_, piece_, MADV_HUGEPAGE);
#endif
      left_ = piece_;
      piece_ = std::min(piece_ * 2, huge_page);
    }
    auto* p = ::new (static_cast<void*>(at_)) page(block_bytes);
    at_ += page::bytes;
    left_ -= page::bytes;
    bytes_reserved.store(bytes_reserved.load(std::memory_order_relaxed) + page::bytes, std::memory_order_relaxed);
    return p;
  }

 private:
  static constexpr std::size_t huge_page = std::size_t{1} << 21;
  std::mutex mutex_;
  unsigned char* at_ = nullptr;
  std::size_t left_ = 0, piece_ = page::bytes;
};

// Blocks that no thread has, by size class. Pages queue up as they get a block back, so that those who wait longest
// have had most time to get more.
class depot {
 public:
  // A list of blocks, the first of them in use from now on. Null: out of memory.
  free_block* take(std::size_t c, std::uint32_t most) noexcept {
    queue& q = queues_[c];
    const std::lock_guard lock(q.mutex);
    if (!q.first) {
      page* const fresh = arena_.take(core::size_class_bytes(c));
      if (!fresh) return nullptr;
      q.push(fresh);
    }
    free_block* list = nullptr;
    free_block** last = &list;
    std::uint32_t taken = 0;
    for (; taken < most && q.first->free > 0; ++taken) {
      free_block* const b = q.first->take();
      *last = ::new (static_cast<void*>(b)) free_block;
      last = &b->next;
    }
    *last = nullptr;
    if (q.first->free == 0) q.pop();
    bytes_out.fetch_add(taken * core::size_class_bytes(c), std::memory_order_relaxed);
    return list;
  }
  void give(std::size_t c, free_block* list) noexcept {
    queue& q = queues_[c];
    const std::lock_guard lock(q.mutex);
    std::size_t given = 0;
    for (; list; ++given) {
      free_block* const b = list;
      list = b->next;
      page& p = page::of(b);
      if (p.free == 0) q.push(&p);
      p.give(b);
    }
    bytes_out.fetch_sub(given * core::size_class_bytes(c), std::memory_order_relaxed);
  }

 private:
  struct queue {
    std::mutex mutex;
    page* first = nullptr;
    page* last = nullptr;

    void push(page* p) noexcept {
      p->next = nullptr;
      (first ? last->next : first) = p;
      last = p;
    }
    void pop() noexcept { first = first->next; }
  };
  queue queues_[core::size_class_count];
  arena arena_;
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
  free_block* const surplus = *at;
  *at = nullptr;
  if (surplus) the_depot().give(c, surplus);
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

namespace {

void* refill(std::size_t c, std::uint32_t most) noexcept {
  register_frame_cache();
  free_block* const list = the_depot().take(c, most);
  if (!list) return nullptr;
  // What is left or freed after the thread's end began is passed on by trim_frames(), or lost with the thread.
  local_frames.head[c] = list->next;
  return list;
}

// With a limit, threads keep less.
std::uint32_t kept() noexcept {
  if (local_frames.closed) return 0;
  return limit.load(std::memory_order_relaxed) == 0 ? kept_blocks : taken_blocks;
}

}  // namespace

void* refill_frames(std::size_t c) noexcept { return refill(c, taken_blocks); }

void give_back_frames() noexcept {
  if (limit.load(std::memory_order_relaxed) != 0) trim_frames();
}

void* refill_within_limit(std::size_t c) noexcept {
  const std::size_t bytes = core::size_class_bytes(c);
  std::uint32_t n = allowed(bytes, taken_blocks);
  if (n == 0) {
    // This thread may have blocks of other sizes to spare.
    for (std::size_t i = 0; i < core::size_class_count; ++i) pass_on(local_frames.head[i], i, 0);
    n = allowed(bytes, taken_blocks);
    // Outside of the workers there is time: one of them may be about to give back what a task that is over had.
    for (int tries = 0; n == 0 && !current_executor && tries < 100; ++tries) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      n = allowed(bytes, taken_blocks);
    }
  }
  return n == 0 ? nullptr : refill(c, n);
}

void* allocate_large_frame(std::size_t bytes) noexcept {
  if (allowed(bytes, 1) == 0) return nullptr;
  void* const p = ::operator new(bytes, std::nothrow);
  if (p) bytes_out.fetch_add(bytes, std::memory_order_relaxed);
  return p;
}

void free_large_frame(void* p, std::size_t bytes) noexcept {
  bytes_out.fetch_sub(bytes, std::memory_order_relaxed);
  ::operator delete(p);
}

void throw_out_of_frames() {
  if (limit.load(std::memory_order_relaxed) == 0) throw std::bad_alloc();
  throw failure(errc::out_of_frames);
}

std::size_t set_frame_limit(std::size_t bytes) noexcept {
  // What this thread has kept would be missing for good.
  for (std::size_t c = 0; c < core::size_class_count; ++c) pass_on(local_frames.head[c], c, 0);
  return limit.exchange(bytes, std::memory_order_relaxed);
}

bool frames_are_short() noexcept {
  const std::size_t bound = limit.load(std::memory_order_relaxed);
  return bound != 0 && bytes_out.load(std::memory_order_relaxed) + core::size_class_limit > bound;
}

frame_use frames_in_use() noexcept {
  return {bytes_out.load(std::memory_order_relaxed), bytes_reserved.load(std::memory_order_relaxed),
          limit.load(std::memory_order_relaxed)};
}

std::size_t kept_bytes(const frame_cache& cache) noexcept {
  std::size_t bytes = 0;
  for (std::size_t c = 0; c < core::size_class_count; ++c)
    for (const free_block* b = cache.head[c]; b; b = b->next) bytes += core::size_class_bytes(c);
  return bytes;
}

void trim_frames() noexcept {
  frame_cache& cache = local_frames;
  register_frame_cache();
  const std::uint32_t keep = kept();
  cache.frees_left = keep == kept_blocks ? frame_cache::frees_between_looks : taken_blocks;
  for (std::size_t c = 0; c < core::size_class_count; ++c) pass_on(cache.head[c], c, keep);
}

}  // namespace hel::detail

// The Chase-Lev work-stealing deque: its owner pushes and pops at the bottom, thieves take from the top.
//
// Sources: D. Chase, Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; orderings after N. M. Le et al.,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013, whose pair of sequentially consistent
// fences in pop and steal is an asymmetric pair here: the owner's costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "hel/annotate.hpp"
#include "hel/exec/asymmetric_fence.hpp"

namespace hel::exec {

class work_stealing_deque {
 public:
  // As many items as push_few() lets wait.
  static constexpr std::int64_t few = 1024;

  work_stealing_deque() : array_(make_array(few)), limit_(few) {}
  ~work_stealing_deque() {
    for (array* a : arrays_) ::operator delete(a);
  }

  // Owner only. Grows when full.
  void push(void* item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    if (b >= limit_) [[unlikely]]
      make_room(b);
    put(b, item);
  }

  // Owner only. From now on push_few() takes nothing; or it does again.
  void let_none_wait() noexcept {
    none_waits_ = true;
    few_limit_ = INT64_MIN;
  }
  void let_few_wait() noexcept { none_waits_ = false; }
  bool none_waits() const noexcept { return none_waits_; }

  // Owner only. False: `few` items or more wait already.
  bool push_few(void* item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    if (b >= few_limit_ && !only_few(b)) [[unlikely]]
      return false;
    put(b, item);
    return true;
  }

  // Owner only. The item pushed last, or null.
  void* pop() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    array* a = array_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_release);
    // Without it the read of top could come before the write of bottom, and a thief could take the item that is popped
    // here. Pairs with the heavy fence in steal().
    light_fence();
    const std::int64_t t = top_.load(std::memory_order_relaxed);
    if (t < b) [[likely]]
      return a->at(b).load(std::memory_order_relaxed);
    void* const item = a->at(b).load(std::memory_order_relaxed);
    return take_last(t, b) ? item : nullptr;
  }

  // Owner only. Takes `item` back if it is the one pushed last and nobody has stolen it.
  bool pop_if(void* item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    // The cell may be left over from before: then the comparison with top below fails.
    if (array_.load(std::memory_order_relaxed)->at(b).load(std::memory_order_relaxed) != item) return false;
    bottom_.store(b, std::memory_order_release);
    light_fence();  // see pop()
    const std::int64_t t = top_.load(std::memory_order_relaxed);
    if (t < b) [[likely]]
      return true;
    return take_last(t, b);
  }

  // Any thread. The oldest item; null when empty or when another thread was faster.
  void* steal() {
    if (looks_empty()) return nullptr;  // the fence below is expensive
    std::int64_t t = top_.load(std::memory_order_acquire);
    heavy_fence();  // see pop()
    const std::int64_t b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return nullptr;
    void* item = array_.load(std::memory_order_acquire)->at(t).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return nullptr;
    return item;
  }

  // A hint.
  // About how many items there are.
  std::uint64_t size() const noexcept {
    const std::int64_t n = bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
    return n > 0 ? static_cast<std::uint64_t>(n) : 0;
  }
  bool looks_empty() const noexcept {
    return bottom_.load(std::memory_order_acquire) <= top_.load(std::memory_order_acquire);
  }

 private:
  struct array {
    std::int64_t mask;
    // The cells follow.
    core::host_atomic<void*>& at(std::int64_t i) noexcept {
      return reinterpret_cast<core::host_atomic<void*>*>(this + 1)[i & mask];
    }
  };

  void put(std::int64_t b, void* item) noexcept {
    array_.load(std::memory_order_relaxed)->at(b).store(item, std::memory_order_relaxed);
    // Release: a thief that sees the new bottom sees the item and the frame behind it.
    bottom_.store(b + 1, std::memory_order_release);
  }

  // The owner and thieves are after the last item, or there is none.
  HEL_COLD_NOEXCEPT bool take_last(std::int64_t t, std::int64_t b) noexcept {
    const bool mine =
        t == b && top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed);
    bottom_.store(b + 1, std::memory_order_release);
    return mine;
  }

  array* make_array(std::int64_t size) {
    const std::size_t bytes = sizeof(array) + static_cast<std::size_t>(size) * sizeof(core::host_atomic<void*>);
    auto* a = ::new (::operator new(bytes)) array{size - 1};
    for (std::int64_t i = 0; i < size; ++i) ::new (static_cast<void*>(&a->at(i))) core::host_atomic<void*>(nullptr);
    arrays_.push_back(a);
    return a;
  }

  // `limit_` is a bottom at which the array was known to have room: thieves may have made more.
  HEL_COLD void make_room(std::int64_t b) {
    const std::int64_t t = top_.load(std::memory_order_acquire);
    array* old = array_.load(std::memory_order_relaxed);
    if (b - t > old->mask) {
      array* a = make_array((old->mask + 1) * 2);
      for (std::int64_t i = t; i < b; ++i) {
        a->at(i).store(old->at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
      }
      array_.store(a, std::memory_order_release);  // thieves must find the copied cells
      old = a;
    }
    limit_ = t + old->mask + 1;
  }

  // The same for `few_limit_`, at which few items were known to wait; the smallest array has room for them.
  HEL_COLD_NOEXCEPT bool only_few(std::int64_t b) noexcept {
    if (none_waits_) return false;
    few_limit_ = top_.load(std::memory_order_acquire) + few;
    return b < few_limit_;
  }

  // Old arrays stay until the end: a slow thief may still read one. Together they are as large as the newest.
  std::vector<array*> arrays_;
  alignas(64) core::host_atomic<std::int64_t> top_{0};
  alignas(64) core::host_atomic<std::int64_t> bottom_{0};
  core::host_atomic<array*> array_;
  std::int64_t limit_, few_limit_ = few;
  bool none_waits_ = false;
};

}  // namespace hel::exec

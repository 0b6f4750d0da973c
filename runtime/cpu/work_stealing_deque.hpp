// The Chase-Lev work-stealing deque: its owner pushes and pops at the bottom, thieves take from the top.
//
// Sources: D. Chase, Y. Lev, "Dynamic circular work-stealing deque", SPAA 2005; orderings after N. M. Le et al.,
// "Correct and efficient work-stealing for weak memory models", PPoPP 2013, whose pair of sequentially consistent
// fences in pop and steal is an asymmetric pair here: the owner's costs nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "asymmetric_fence.hpp"

namespace hel::exec {

class work_stealing_deque {
 public:
  work_stealing_deque() : array_(make_array(256)) {}

  // Owner only. Grows when full.
  void push(void* item) {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed);
    const std::int64_t t = top_.load(std::memory_order_acquire);
    array* a = array_.load(std::memory_order_relaxed);
    if (b - t > a->mask) a = grow(a, t, b);
    a->at(b).store(item, std::memory_order_relaxed);
    // Release: a thief that sees the new bottom sees the item and the frame behind it.
    bottom_.store(b + 1, std::memory_order_release);
  }

  // Owner only. The item pushed last, or null.
  void* pop() {
    const std::int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    array* a = array_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_release);
    // Without it the read of top could come before the write of bottom, and a thief could take the item that is popped
    // here. Pairs with the heavy fence in steal().
    light_fence();
    std::int64_t t = top_.load(std::memory_order_relaxed);
    if (t > b) {  // empty
      bottom_.store(b + 1, std::memory_order_release);
      return nullptr;
    }
    void* item = a->at(b).load(std::memory_order_relaxed);
    if (t == b) {  // the last one: thieves may be after it
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) item = nullptr;
      bottom_.store(b + 1, std::memory_order_release);
    }
    return item;
  }

  // Any thread. The oldest item; null when empty or when another thread was faster.
  void* steal() {
    if (looks_empty()) return nullptr;  // the fence below is expensive
    std::int64_t t = top_.load(std::memory_order_acquire);
    heavy_fence();  // see pop()
    const std::int64_t b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return nullptr;
    array* a = array_.load(std::memory_order_acquire);
    void* item = a->at(t).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return nullptr;
    return item;
  }

  // A hint.
  bool looks_empty() const noexcept {
    return bottom_.load(std::memory_order_acquire) <= top_.load(std::memory_order_acquire);
  }

 private:
  struct array {
    explicit array(std::int64_t size) : mask(size - 1), cells(new std::atomic<void*>[static_cast<std::size_t>(size)]) {}
    std::atomic<void*>& at(std::int64_t i) noexcept { return cells[static_cast<std::size_t>(i & mask)]; }
    std::int64_t mask;
    std::unique_ptr<std::atomic<void*>[]> cells;
  };

  array* make_array(std::int64_t size) {
    arrays_.push_back(std::make_unique<array>(size));
    return arrays_.back().get();
  }
  array* grow(array* old, std::int64_t t, std::int64_t b) {
    array* a = make_array((old->mask + 1) * 2);
    for (std::int64_t i = t; i < b; ++i) {
      a->at(i).store(old->at(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    array_.store(a, std::memory_order_release);  // thieves must find the copied cells
    return a;
  }

  // Old arrays stay until the end: a slow thief may still read one. Together they are as large as the newest.
  std::vector<std::unique_ptr<array>> arrays_;
  alignas(64) std::atomic<std::int64_t> top_{0};
  alignas(64) std::atomic<std::int64_t> bottom_{0};
  std::atomic<array*> array_;
};

}  // namespace hel::exec

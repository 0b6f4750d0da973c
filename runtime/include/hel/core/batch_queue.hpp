// A bounded queue that moves values in batches: one operation on a shared word for up to 32 values, which a warp then
// writes or reads side by side. The shared ready queue of the resident kernel.
//
//     sender                                       receiver
//     reserve_send(n) -> tickets t .. t + k        reserve_receive(n) -> tickets t .. t + k
//     put(t + i, value)   each by any thread       get(t + i) -> value    each by any thread
//
// What is reserved must be put, or got, without waiting for anything else: the other side waits for it in put() and
// get(), which are the only places that wait, for two instructions of another thread. k may be less than n, and 0: a
// full or an empty queue is reported, never waited for.
//
// A cell says whose turn it is: 2 * round while it is free, 2 * round + 1 while it is full, so that zeroed cells are an
// empty queue. The cells are the caller's; T is trivially copyable.
#pragma once

#include <type_traits>

#include "hel/core/platform.hpp"

namespace hel::core {

template <class T, scope S = scope::device>
class batch_queue {
 public:
  struct cell {
    atomic<std::uint32_t, S> turn;
    T value;
  };
  static_assert(std::is_trivially_copyable_v<T>);

  struct reservation {
    std::uint64_t first = 0;
    std::uint32_t count = 0;
  };

  // 2^log2_cells zeroed cells.
  HEL_HD batch_queue(cell* cells, std::uint32_t log2_cells) noexcept : cells_(cells), log2_cells_(log2_cells) {}

  HEL_HD reservation reserve_send(std::uint32_t n) noexcept {
    std::uint64_t tail = tail_.load_relaxed();
    for (;;) {
      // Relaxed: an outdated head makes the queue look fuller than it is; put() waits for the reader of its cell.
      const auto used = static_cast<std::int64_t>(tail - head_.load_relaxed());
      if (used < 0) {  // the tail is the outdated one
        tail = tail_.load_relaxed();
        continue;
      }
      const std::uint64_t room = (std::uint64_t{1} << log2_cells_) - static_cast<std::uint64_t>(used);
      const std::uint32_t k = room < n ? static_cast<std::uint32_t>(room) : n;
      if (k == 0) return {};
      if (tail_.cas_relaxed(tail, tail + k)) return {tail, k};
    }
  }
  HEL_HD void put(std::uint64_t ticket, const T& value) noexcept {
    cell& c = cells_[ticket & mask()];
    // Acquire: the receiver of the round before has read the value that is overwritten here.
    for (backoff wait; c.turn.load_acquire() != free_turn(ticket);) wait.pause();
    c.value = value;
    c.turn.store_release(free_turn(ticket) + 1);  // publishes the value, and what its sender wrote before
  }

  // One value, into a queue that has room for everything that can be in it: nothing is asked.
  HEL_HD void send(const T& value) noexcept { put(tail_.fetch_add_relaxed(1), value); }

  HEL_HD reservation reserve_receive(std::uint32_t n) noexcept {
    std::uint64_t head = head_.load_relaxed();
    for (;;) {
      const auto there = static_cast<std::int64_t>(tail_.load_relaxed() - head);
      if (there <= 0) {
        const std::uint64_t now = head_.load_relaxed();
        if (now == head) return {};
        head = now;
        continue;
      }
      const std::uint32_t k = static_cast<std::uint64_t>(there) < n ? static_cast<std::uint32_t>(there) : n;
      if (head_.cas_relaxed(head, head + k)) return {head, k};
    }
  }
  HEL_HD T get(std::uint64_t ticket) noexcept {
    cell& c = cells_[ticket & mask()];
    // Acquire: pairs with the publication in put().
    for (backoff wait; c.turn.load_acquire() != free_turn(ticket) + 1;) wait.pause();
    const T value = c.value;
    c.turn.store_release(free_turn(ticket + (std::uint64_t{1} << log2_cells_)));  // the next round may write
    return value;
  }

  // A hint: it may have changed.
  HEL_HD bool looks_empty() const noexcept {
    return static_cast<std::int64_t>(tail_.load_relaxed() - head_.load_relaxed()) <= 0;
  }
  HEL_HD std::uint64_t looks_like() const noexcept {
    const auto n = static_cast<std::int64_t>(tail_.load_relaxed() - head_.load_relaxed());
    return n < 0 ? 0 : static_cast<std::uint64_t>(n);
  }

 private:
  HEL_HD std::uint64_t mask() const noexcept { return (std::uint64_t{1} << log2_cells_) - 1; }
  HEL_HD std::uint32_t free_turn(std::uint64_t ticket) const noexcept {
    return static_cast<std::uint32_t>(ticket >> log2_cells_) * 2;
  }

  cell* cells_;
  std::uint32_t log2_cells_;
  alignas(64) atomic<std::uint64_t, S> tail_;
  alignas(64) atomic<std::uint64_t, S> head_;
};

}  // namespace hel::core

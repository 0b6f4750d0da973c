// A bounded queue for many senders and many receivers: the mailbox of a service, the ready queue of a device worker.
//
// Each cell carries a sequence number that says whose turn it is: cell i is free for ticket t when sequence == t and
// full when sequence == t + 1 (the ring of D. Vyukov, "Bounded MPMC queue", 1024cores). Neither side ever waits:
// a full or an empty mailbox is reported, and the caller suspends.
//
// The cells are the caller's, so that they can be in mapped or device memory. T is trivially copyable.
#pragma once

#include <type_traits>

#include "hel/core/platform.hpp"

namespace hel::core {

template <class T, scope S = scope::device>
class mailbox {
 public:
  struct cell {
    atomic<std::uint64_t, S> sequence;
    T value;
  };
  static_assert(std::is_trivially_copyable_v<T>);

  // `count` is a power of two. Not thread-safe: before the first send.
  HEL_HD mailbox(cell* cells, std::uint64_t count) noexcept : cells_(cells), mask_(count - 1) {
    for (std::uint64_t i = 0; i < count; ++i) cells_[i].sequence.store_relaxed(i);
  }

  HEL_HD bool try_send(const T& value) noexcept {
    std::uint64_t ticket = tail_.load_relaxed();
    for (;;) {
      cell& c = cells_[ticket & mask_];
      // Acquire: the receiver of the previous round must have read the value before it is overwritten.
      const auto turn = static_cast<std::int64_t>(c.sequence.load_acquire() - ticket);
      if (turn == 0) {
        if (tail_.cas_relaxed(ticket, ticket + 1)) {
          c.value = value;
          c.sequence.store_release(ticket + 1);  // publishes the value
          return true;
        }
      } else if (turn < 0) {
        return false;
      } else {
        ticket = tail_.load_relaxed();
      }
    }
  }

  HEL_HD bool try_receive(T& value) noexcept {
    std::uint64_t ticket = head_.load_relaxed();
    for (;;) {
      cell& c = cells_[ticket & mask_];
      // Acquire: pairs with the sender's publication of the value.
      const auto turn = static_cast<std::int64_t>(c.sequence.load_acquire() - (ticket + 1));
      if (turn == 0) {
        if (head_.cas_relaxed(ticket, ticket + 1)) {
          value = c.value;
          c.sequence.store_release(ticket + mask_ + 1);  // frees the cell for the next round
          return true;
        }
      } else if (turn < 0) {
        return false;
      } else {
        ticket = head_.load_relaxed();
      }
    }
  }

 private:
  cell* cells_;
  std::uint64_t mask_;
  // Senders and receivers each have a line of their own, or every send would stall a receive.
  alignas(64) atomic<std::uint64_t, S> tail_;
  alignas(64) atomic<std::uint64_t, S> head_;
};

}  // namespace hel::core

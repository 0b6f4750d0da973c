// The protocol of a bounded channel: a ring of slots and two lists of suspended parties, under a short lock.
//
// Invariants, whenever the lock is free: receivers wait only if the ring is empty, senders only if it is full, and
// nobody waits once the channel is closed. So a value is handed straight to a waiting receiver, and a freed slot is
// filled at once from a waiting sender: nobody is overtaken, and a woken party need not try again.
//
// The core decides who moves what and who is woken; moving values and waking coroutines are the caller's. A party must
// not be touched by its own coroutine after it was queued, as it may be woken at once.
#pragma once

#include <cstddef>

#include "hel/core/spin_lock.hpp"

namespace hel::core {

// A suspended sender or receiver; the caller derives from it to add the coroutine and the value's place.
struct channel_party {
  channel_party* next = nullptr;
  bool served = false;  // a value was moved; false after a wake-up: the channel was closed
};

struct channel_queue {
  channel_party* first = nullptr;
  channel_party* last = nullptr;

  HEL_HD void push(channel_party& p) noexcept {
    p.next = nullptr;
    if (last)
      last->next = &p;
    else
      first = &p;
    last = &p;
  }
  HEL_HD channel_party* pop() noexcept {
    channel_party* p = first;
    if (p && !(first = p->next)) last = nullptr;
    return p;
  }
  // False: it is not here.
  HEL_HD bool remove(channel_party& p) noexcept {
    channel_party* before = nullptr;
    for (channel_party* at = first; at; before = at, at = at->next) {
      if (at != &p) continue;
      (before ? before->next : first) = p.next;
      if (last == &p) last = before;
      return true;
    }
    return false;
  }
};

enum class channel_step : std::uint8_t {
  moved,      // done, nobody to wake
  woke,       // done, `peer` is to be woken
  closed,     // refused
  suspended,  // the party was queued
  would_wait  // nothing was done: it would have to be queued
};

struct channel_outcome {
  channel_step step;
  channel_party* peer = nullptr;
};

// Slots: has  void to_slot(i, party)  (from a sender),  void from_slot(i, party)  (to a receiver)  and
// void direct(sender, receiver); none of them may throw.
// Lock: has a class `guard` that holds it.
template <class Slots, class Lock = spin_lock>
class channel_core {
 public:
  HEL_HD explicit channel_core(std::size_t capacity) noexcept : capacity_(capacity) {}

  // `queue`: whether the party may be queued; without, would_wait is answered.
  HEL_HD channel_outcome send(Slots& slots, channel_party& sender, bool queue) noexcept {
    const typename Lock::guard hold(lock_);
    if (closed_) return {channel_step::closed};
    if (channel_party* receiver = receivers_.pop()) {
      slots.direct(sender, *receiver);
      sender.served = receiver->served = true;
      return {channel_step::woke, receiver};
    }
    if (count_ < capacity_) {
      slots.to_slot(wrap(head_ + count_), sender);
      ++count_;
      sender.served = true;
      return {channel_step::moved};
    }
    if (!queue) return {channel_step::would_wait};
    senders_.push(sender);
    return {channel_step::suspended};
  }

  HEL_HD channel_outcome receive(Slots& slots, channel_party& receiver, bool queue) noexcept {
    const typename Lock::guard hold(lock_);
    if (count_ > 0) {
      slots.from_slot(head_, receiver);
      receiver.served = true;
      channel_party* sender = senders_.pop();
      if (sender) {
        slots.to_slot(head_, *sender);  // the slot just freed is the last one of the full ring
        sender->served = true;
      } else {
        --count_;
      }
      head_ = wrap(head_ + 1);
      return {sender ? channel_step::woke : channel_step::moved, sender};
    }
    if (closed_) return {channel_step::closed};
    if (channel_party* sender = senders_.pop()) {  // capacity 0: a rendezvous
      slots.direct(*sender, receiver);
      sender->served = receiver.served = true;
      return {channel_step::woke, sender};
    }
    if (!queue) return {channel_step::would_wait};
    receivers_.push(receiver);
    return {channel_step::suspended};
  }

  // Takes back a party that waits. False: it does not wait any more.
  HEL_HD bool withdraw(channel_party& p) noexcept {
    const typename Lock::guard hold(lock_);
    return senders_.remove(p) || receivers_.remove(p);
  }

  // Returns everybody who waited, to be woken by the caller. What is in the ring can still be received.
  HEL_HD channel_queue close() noexcept {
    const typename Lock::guard hold(lock_);
    closed_ = true;
    channel_queue all = receivers_;
    if (!all.first)
      all = senders_;
    else if (senders_.first) {
      all.last->next = senders_.first;
      all.last = senders_.last;
    }
    senders_ = receivers_ = {};
    return all;
  }

  HEL_HD bool closed() noexcept {
    const typename Lock::guard hold(lock_);
    return closed_;
  }

  // Not thread-safe: for the destructor. Calls f(i) for each filled slot.
  template <class F>
  HEL_HD void for_each_filled(F f) noexcept {
    for (std::size_t i = 0; i < count_; ++i) f(wrap(head_ + i));
  }

 private:
  HEL_HD std::size_t wrap(std::size_t i) const noexcept { return i >= capacity_ ? i - capacity_ : i; }

  Lock lock_;
  bool closed_ = false;
  const std::size_t capacity_;
  std::size_t head_ = 0, count_ = 0;  // of the ring: the first filled slot, how many are filled
  channel_queue senders_, receivers_;
};

}  // namespace hel::core

// One word that says whether something asynchronous is over and who waits for it.
//
//     pending ──try_wait(l)─► l waits ──try_wait(m)─► l, m wait ──complete()──► done (the caller of complete() wakes
//     them) pending ──detach()────► detached ──complete()──► done (the caller of complete() releases the object)
//
// Whoever waits brings a link, which is theirs; the word itself is all that the object holds. The payload (a result, an
// error) is written before complete() and read after done() or a failed try_wait().
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

// Link has a member `Link* next` and is aligned to at least 4 bytes.
template <class Link, scope S = scope::device>
class completion_word {
 public:
  HEL_HD bool done() const noexcept { return (word_.load_acquire() & done_bit) != 0; }

  // True: `l` is registered and will be among those that complete() returns; the caller must touch nothing of its own
  // any more, as the waking may happen at once. False: already done.
  HEL_HD bool try_wait(Link* l) noexcept {
    std::uintptr_t found = 0;  // nobody waits: by far the most frequent case
    for (;;) {
      l->next = link_in(found);
      // Release: the link's fields must be visible to the thread that completes and reads them.
      if (word_.cas_acq_rel(found, reinterpret_cast<std::uintptr_t>(l) | (found & detached_bit))) return true;
      if (found & done_bit) return false;
    }
  }

  struct completed {
    Link* first;    // to wake, in the order in which they came; null: nobody waits
    bool detached;  // the owner has gone: release the object
  };
  HEL_HD completed complete() noexcept {
    // Release publishes the result; acquire makes the links' fields readable.
    const std::uintptr_t old = word_.exchange_acq_rel(done_bit);
    Link* newest = link_in(old);
    if (newest && newest->next) newest = reversed(newest);
    return {newest, (old & detached_bit) != 0};
  }

  // The owner loses interest; others may still wait. True: it was already done, so the owner releases the object.
  HEL_HD bool detach() noexcept {
    std::uintptr_t found = 0;
    while (!word_.cas_acq_rel(found, found | detached_bit)) {
      if (found & done_bit) return true;
    }
    return false;
  }

  // Takes one link back; the caller sees to it that only one thread does this, or walks waiting(), at a time. False:
  // the link is among those that complete() has returned. Others that wait may be taken out and put in again meanwhile;
  // `missed` are those among them whose complete() came just then: the caller wakes them as complete()'s would.
  HEL_HD bool withdraw(Link* l, Link*& missed) noexcept {
    missed = nullptr;
    std::uintptr_t found = word_.load_acquire();
    do {
      if (found & done_bit) return false;
      // Acquire: the links of others are read below.
    } while (!word_.cas_acq_rel(found, found & detached_bit));
    Link** last_missed = &missed;
    for (Link* other = link_in(found) ? reversed(link_in(found)) : nullptr; other;) {
      Link* next = other->next;
      if (other != l && !try_wait(other)) {
        other->next = nullptr;
        *last_missed = other;
        last_missed = &other->next;
      }
      other = next;
    }
    return true;
  }

  // Back to pending, unless it is pending now. What waits next waits for the next complete().
  HEL_HD void reset() noexcept {
    std::uintptr_t found = done_bit;
    word_.cas_acq_rel(found, 0);
  }

  // Those who wait now, the newest first. Only while something keeps the object from completing.
  HEL_HD Link* waiting() const noexcept { return link_in(word_.load_acquire()); }

 private:
  static constexpr std::uintptr_t done_bit = 1, detached_bit = 2;
  HEL_HD static Link* link_in(std::uintptr_t word) noexcept {
    return reinterpret_cast<Link*>(word & ~(done_bit | detached_bit));
  }
  HEL_HD static Link* reversed(Link* newest) noexcept {
    Link* list = nullptr;
    while (newest) {
      Link* next = newest->next;
      newest->next = list;
      list = newest;
      newest = next;
    }
    return list;
  }
  atomic<std::uintptr_t, S> word_;
};

}  // namespace hel::core

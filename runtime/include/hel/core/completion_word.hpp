// One word that says whether something asynchronous is over and who waits for it.
//
//     pending ──complete()──► done
//     pending ──try_wait(w)─► w waits ──complete()──► done (the caller of complete() wakes w)
//     pending ──detach()────► detached ──complete()──► done (the caller of complete() releases the object)
//
// One waiter at most. The payload (a result, an error) is written before complete() and read after done() or a failed
// try_wait().
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

template <class Waiter, scope S = scope::device>
class completion_word {
 public:
  HEL_HD bool done() const noexcept { return word_.load_acquire() == done_tag; }

  // True: `w` is registered and will be woken; the caller must touch nothing of its own any more, as the waking may
  // happen at once. False: already done.
  HEL_HD bool try_wait(Waiter* w) noexcept {
    std::uintptr_t expected = pending_tag;
    // Release: the waiter's fields must be visible to the thread that completes and reads them.
    return word_.cas_acq_rel(expected, reinterpret_cast<std::uintptr_t>(w));
  }

  struct completed {
    Waiter* waiter;  // to wake, or null
    bool detached;   // nobody will ever look: release the object
  };
  HEL_HD completed complete() noexcept {
    // Release publishes the result; acquire makes the waiter's fields readable.
    const std::uintptr_t old = word_.exchange_acq_rel(done_tag);
    if (old == pending_tag) return {nullptr, false};
    if (old == detached_tag) return {nullptr, true};
    return {reinterpret_cast<Waiter*>(old), false};
  }

  // The owner loses interest. True: it was already done, so the owner releases the object.
  HEL_HD bool detach() noexcept { return word_.exchange_acq_rel(detached_tag) == done_tag; }

 private:
  static constexpr std::uintptr_t pending_tag = 0, done_tag = 1, detached_tag = 2;
  atomic<std::uintptr_t, S> word_;
};

}  // namespace hel::core

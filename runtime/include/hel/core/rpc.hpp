// Calls from clients (tasks) to a host: fixed slots with a header and a payload, two doorbells, no read-modify-write
// across the bus.
//
//     claim()            the client takes a free slot of the class that fits
//     header, payload    it writes the function's number and the arguments
//     submit()           request = next turn; doorbell            the slot is the host's from here ...
//                                                   next()        a host thread takes it
//                                                   header, payload   arguments read, result written
//                                                   answer()      reply = request's turn; doorbell
//     next_answer()      the client's poller finds who waits      ... to here
//     header, payload    the result is read
//     release()          the slot is free
//
// A slot belongs to the host while `reply` differs from the turn in `request`, to the client otherwise. Each of the two
// words is stored by one side only, and so are the cells of the doorbells (rpc_ring.hpp): plain stores and loads of
// system scope, which mapped memory has on every GPU. What several threads of one side compete for (free slots,
// tickets, who waits) is in that side's memory and of device scope.
//
// A client that will wait no longer abandons its call. The slot then stays the host's until the host answers, however
// late, and the answer is dropped: nobody writes to a slot that has been claimed anew.
//
//     waits[slot]:  waiter ──────────────────next_answer()──► answered           (the waiter is told)
//                     └─abandon()─► abandoning ──next_answer()──► answered       (abandon() frees the slot)
//                                       └──────► abandoned ──next_answer()──►    (next_answer() frees the slot)
#pragma once

#include <cstddef>

#include "hel/core/block_pool.hpp"
#include "hel/core/rpc_ring.hpp"

namespace hel::core {

struct alignas(32) rpc_header {
  atomic<std::uint32_t, scope::system> request;  // stored by the client: the turn, and bit 0: the call is abandoned
  std::uint32_t argument_bytes;
  std::uint64_t function;
  atomic<std::uint32_t, scope::system> reply;  // stored by the host: the turn that it has answered
  std::int32_t error;                          // 0: the payload holds a result
  std::uint32_t result_bytes;
  std::uint32_t flags;  // the caller's, for the host
};
static_assert(sizeof(rpc_header) == 32 && offsetof(rpc_header, reply) == 16);

// The size classes. The smallest slot is two cache lines, and most calls touch the first only.
inline constexpr std::uint32_t rpc_classes = 3;
inline constexpr std::size_t rpc_largest_payload = 65536;
HEL_HD constexpr std::size_t rpc_payload_bytes(std::uint32_t c) noexcept {
  return c == 0 ? 96 : c == 1 ? 992 : rpc_largest_payload;
}
HEL_HD constexpr std::size_t rpc_slot_bytes(std::uint32_t c) noexcept {
  return (sizeof(rpc_header) + rpc_payload_bytes(c) + 63) / 64 * 64;
}
HEL_HD constexpr std::uint32_t rpc_class_of(std::size_t payload_bytes) noexcept {
  return payload_bytes <= rpc_payload_bytes(0) ? 0 : payload_bytes <= rpc_payload_bytes(1) ? 1 : 2;
}

// How many slots each class has, and where things are in the memory that both sides reach. A plain value that the host
// hands to the device.
struct rpc_shape {
  std::uint32_t slots[rpc_classes] = {1024, 64, 8};

  HEL_HD constexpr std::uint32_t all() const noexcept { return slots[0] + slots[1] + slots[2]; }
  HEL_HD constexpr std::uint32_t log2_cells() const noexcept {
    std::uint32_t n = 0;
    while ((1u << n) < all()) ++n;
    return n;
  }
  HEL_HD constexpr std::uint32_t first(std::uint32_t c) const noexcept {
    return c == 0 ? 0 : c == 1 ? slots[0] : slots[0] + slots[1];
  }
  HEL_HD constexpr std::uint32_t class_of_slot(std::uint32_t slot) const noexcept {
    return slot < first(1) ? 0 : slot < first(2) ? 1 : 2;
  }
  // Offsets: the doorbell of calls, the doorbell of answers, then the slots by class. Aligned to 64.
  HEL_HD constexpr std::size_t ring_bytes() const noexcept {
    return ((sizeof(rpc_cell) << log2_cells()) + 63) / 64 * 64;
  }
  HEL_HD constexpr std::size_t slots_at(std::uint32_t c) const noexcept {
    std::size_t at = 2 * ring_bytes();
    for (std::uint32_t i = 0; i < c; ++i) at += slots[i] * rpc_slot_bytes(i);
    return at;
  }
  HEL_HD constexpr std::size_t bytes() const noexcept { return slots_at(rpc_classes); }
};

// The memory that both sides reach, as one side sees it: shape.bytes() zeroed bytes, aligned to 64, the caller's.
class rpc_memory {
 public:
  HEL_HD rpc_memory(void* memory, const rpc_shape& shape) noexcept
      : base_(static_cast<unsigned char*>(memory)), shape_(shape) {}

  HEL_HD const rpc_shape& shape() const noexcept { return shape_; }
  HEL_HD rpc_cell* calls() const noexcept { return reinterpret_cast<rpc_cell*>(base_); }
  HEL_HD rpc_cell* answers() const noexcept { return reinterpret_cast<rpc_cell*>(base_ + shape_.ring_bytes()); }
  HEL_HD void* slots(std::uint32_t c) const noexcept { return base_ + shape_.slots_at(c); }
  HEL_HD rpc_header& header(std::uint32_t slot) const noexcept {
    const std::uint32_t c = shape_.class_of_slot(slot);
    unsigned char* const at = base_ + shape_.slots_at(c) + (slot - shape_.first(c)) * rpc_slot_bytes(c);
    return *reinterpret_cast<rpc_header*>(at);
  }
  HEL_HD void* payload(std::uint32_t slot) const noexcept { return &header(slot) + 1; }

 private:
  unsigned char* base_;
  rpc_shape shape_;
};

// The side that calls. Waiter is what an answer is told to; it is aligned to at least 4 bytes.
template <class Waiter>
class rpc_client {
 public:
  static constexpr std::uint32_t none = ~0u;
  using link = atomic<std::uint32_t>;
  using wait = atomic<std::uintptr_t>;

  // `links` and `waits` have a zeroed element for each slot, in the client's memory.
  HEL_HD rpc_client(const rpc_memory& m, link* links, wait* waits) noexcept
      : memory_(m),
        waits_(waits), free_{{m.slots(0), links + m.shape().first(0), rpc_slot_bytes(0), m.shape().slots[0]},
                             {m.slots(1), links + m.shape().first(1), rpc_slot_bytes(1), m.shape().slots[1]},
                             {m.slots(2), links + m.shape().first(2), rpc_slot_bytes(2), m.shape().slots[2]}},
        calls_(m.calls(), m.shape().log2_cells()), answers_(m.answers(), m.shape().log2_cells()) {}

  // A free slot whose payload has room for so many bytes; none: all of its class are taken.
  HEL_HD std::uint32_t claim(std::size_t payload_bytes) noexcept {
    const std::uint32_t c = rpc_class_of(payload_bytes);
    const std::uint32_t i = free_[c].take_index();
    return i == none ? none : memory_.shape().first(c) + i;
  }
  HEL_HD rpc_header& header(std::uint32_t slot) const noexcept { return memory_.header(slot); }
  HEL_HD void* payload(std::uint32_t slot) const noexcept { return memory_.payload(slot); }

  // Hands a claimed slot, header and payload written, to the host. `w` may be told at once, on another thread.
  HEL_HD void submit(std::uint32_t slot, Waiter* w) noexcept {
    prepare(slot, w);
    calls_.send(slot);
  }
  // Several with one doorbell.
  HEL_HD void submit(const std::uint32_t* slots, Waiter* const* w, std::uint32_t n) noexcept {
    for (std::uint32_t i = 0; i < n; ++i) prepare(slots[i], w[i]);
    calls_.send(slots, n);
  }

  // Whether the slot is the client's.
  HEL_HD bool answered(std::uint32_t slot) const noexcept {
    const rpc_header& h = header(slot);
    return h.reply.load_acquire() == h.request.load_relaxed() >> 1;
  }

  struct answer {
    std::uint32_t slot = none;  // none: nothing has come
    Waiter* waiter = nullptr;   // the caller tells it, and it releases the slot
  };
  // The oldest answer that somebody waits for.
  HEL_HD answer next_answer() noexcept {
    for (;;) {
      const std::uint32_t slot = answers_.receive();
      if (slot == rpc_receiver::none) return {};
      // Acquire: the waiter's fields are read next. Release: orders what the host wrote before abandon()'s release of
      // the slot.
      const std::uintptr_t who = waits_[slot].exchange_acq_rel(is_answered);
      if (who == abandoned)
        release(slot);
      else if (who != abandoning)
        return {slot, reinterpret_cast<Waiter*>(who)};
    }
  }
  HEL_HD bool looks_unanswered() const noexcept { return answers_.peek() == rpc_receiver::none; }
  // Calls whose answer was not taken yet, abandoned ones included.
  HEL_HD std::uint32_t under_way() const noexcept {
    const std::uint32_t received = answers_.received();  // first: never more than were sent
    return calls_.sent() - received;
  }
  // The slot of the answer that likely comes next, or none.
  HEL_HD std::uint32_t peek_answer() const noexcept { return answers_.peek(); }
  // Where the next answer will show.
  HEL_HD const rpc_receiver& doorbell() const noexcept { return answers_; }

  // `w` waits for the slot no longer. True: it will not be told, and the slot is not its own any more. False: it has
  // been told. The caller sees to it that `w` has not been submitted again since.
  HEL_HD bool abandon(std::uint32_t slot, Waiter* w) noexcept {
    std::uintptr_t found = reinterpret_cast<std::uintptr_t>(w);
    if (!waits_[slot].cas_acq_rel(found, abandoning)) return false;
    // The slot cannot be claimed anew before the exchange below, so this is the turn that was asked for. Relaxed: a
    // hint by which the host may save the work.
    rpc_header& h = header(slot);
    h.request.store_relaxed(h.request.load_relaxed() | 1);
    if (waits_[slot].exchange_acq_rel(abandoned) == is_answered) release(slot);
    return true;
  }

  // The result was read.
  HEL_HD void release(std::uint32_t slot) noexcept {
    const std::uint32_t c = memory_.shape().class_of_slot(slot);
    free_[c].give_back_index(slot - memory_.shape().first(c));
  }

 private:
  static constexpr std::uintptr_t is_answered = 1, abandoning = 2, abandoned = 3;

  HEL_HD void prepare(std::uint32_t slot, Waiter* w) noexcept {
    // Relaxed: the poller reads it after two doorbells.
    waits_[slot].store_relaxed(reinterpret_cast<std::uintptr_t>(w));
    rpc_header& h = header(slot);
    // Relaxed: the doorbell's release publishes it with the rest. Bit 0 is clear again.
    h.request.store_relaxed(((h.request.load_relaxed() >> 1) + 1) << 1);
  }

  const rpc_memory memory_;
  wait* const waits_;
  block_pool<> free_[rpc_classes];
  rpc_sender calls_;
  rpc_receiver answers_;
};

// The side that is called. Any number of its threads may call any function.
class rpc_server {
 public:
  static constexpr std::uint32_t none = rpc_receiver::none;

  HEL_HD explicit rpc_server(const rpc_memory& m) noexcept
      : memory_(m), calls_(m.calls(), m.shape().log2_cells()), answers_(m.answers(), m.shape().log2_cells()) {}

  // The oldest call, which is the caller's to answer, or none.
  HEL_HD std::uint32_t next() noexcept { return calls_.receive(); }
  HEL_HD std::uint32_t peek() const noexcept { return calls_.peek(); }
  // Where the next call will show.
  HEL_HD const rpc_receiver& doorbell() const noexcept { return calls_; }

  HEL_HD rpc_header& header(std::uint32_t slot) const noexcept { return memory_.header(slot); }
  HEL_HD void* payload(std::uint32_t slot) const noexcept { return memory_.payload(slot); }

  // The client waits no longer: the call need not be made, but it is to be answered. A hint, like all that is relaxed.
  HEL_HD bool is_abandoned(std::uint32_t slot) const noexcept { return (header(slot).request.load_relaxed() & 1) != 0; }

  // The result is in the payload, or `error` is not 0. The slot is not the caller's any more.
  HEL_HD void answer(std::uint32_t slot, std::int32_t error) noexcept {
    rpc_header& h = header(slot);
    h.error = error;
    // Release: for a client that looks at the word (answered()) instead of waiting for the doorbell.
    h.reply.store_release(h.request.load_relaxed() >> 1);
    answers_.send(slot);
  }

 private:
  const rpc_memory memory_;
  rpc_receiver calls_;
  rpc_sender answers_;
};

}  // namespace hel::core

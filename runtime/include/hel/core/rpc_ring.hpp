// A doorbell between client and host: a ring of slot numbers that one side writes and the other side reads.
//
//     cell of ticket t:  | round of t, 20 bits | slot number, 12 bits |      a zeroed ring is an empty one
//
// Whose turn a cell is follows from the round that is written in it, so a cell is only ever stored by the sending side
// and only ever loaded by the receiving side: that is all that mapped memory offers over PCIe, where no
// read-modify-write of one side is atomic for the other. The tickets are drawn by each side in its own memory.
//
// The ring cannot overflow: it has at least as many cells as there are slots, and a slot is in it once at most. Nobody
// reads ticket t + cells before ticket t was read, as until then no slot of t or later has come back to be sent again.
//
// A sender that stalls between drawing its ticket and storing its cell holds up the receivers (not the other senders):
// two instructions, in which nothing is waited for.
#pragma once

#include "hel/core/platform.hpp"

namespace hel::core {

inline constexpr std::uint32_t rpc_slot_bits = 12;
inline constexpr std::uint32_t rpc_most_slots = 1u << rpc_slot_bits;

using rpc_cell = atomic<std::uint32_t, scope::system>;

namespace detail {
HEL_HD constexpr std::uint32_t rpc_round(std::uint32_t ticket, std::uint32_t log2_cells) noexcept {
  return ((ticket >> log2_cells) + 1) & ((1u << (32 - rpc_slot_bits)) - 1);
}
}  // namespace detail

// In the memory of the side that sends.
class rpc_sender {
 public:
  // `cells` has 2^log2_cells zeroed words in memory that both sides reach; it stays the caller's.
  HEL_HD rpc_sender(rpc_cell* cells, std::uint32_t log2_cells) noexcept : cells_(cells), log2_cells_(log2_cells) {}

  HEL_HD void send(std::uint32_t slot) noexcept { store(tail_.fetch_add_relaxed(1), slot); }
  // One ticket operation for all of them: the lanes of a warp, a batch.
  HEL_HD void send(const std::uint32_t* slots, std::uint32_t n) noexcept {
    const std::uint32_t first = tail_.fetch_add_relaxed(n);
    for (std::uint32_t i = 0; i < n; ++i) store(first + i, slots[i]);
  }
  // How many slots were sent, modulo 2^32.
  HEL_HD std::uint32_t sent() const noexcept { return tail_.load_relaxed(); }

 private:
  HEL_HD void store(std::uint32_t ticket, std::uint32_t slot) noexcept {
    const std::uint32_t value = detail::rpc_round(ticket, log2_cells_) << rpc_slot_bits | slot;
    // Release: publishes the slot's header and payload, without which the receiver would serve what was there before.
    cells_[ticket & ((1u << log2_cells_) - 1)].store_release(value);
  }

  rpc_cell* cells_;
  std::uint32_t log2_cells_;
  alignas(64) atomic<std::uint32_t> tail_;
};

// In the memory of the side that receives.
class rpc_receiver {
 public:
  HEL_HD rpc_receiver(rpc_cell* cells, std::uint32_t log2_cells) noexcept : cells_(cells), log2_cells_(log2_cells) {}

  static constexpr std::uint32_t none = ~0u;

  // The oldest slot, which is the caller's now, or none.
  HEL_HD std::uint32_t receive() noexcept {
    std::uint32_t ticket = head_.load_relaxed();
    for (;;) {
      // Acquire: pairs with the sender's release; what the slot holds is read after it.
      const std::uint32_t cell = cell_of(ticket).load_acquire();
      if (cell >> rpc_slot_bits == detail::rpc_round(ticket, log2_cells_)) {
        // Relaxed: it only decides which receiver has the ticket.
        if (head_.cas_relaxed(ticket, ticket + 1)) return cell & (rpc_most_slots - 1);
      } else {
        const std::uint32_t now = head_.load_relaxed();
        if (now == ticket) return none;
        ticket = now;  // another receiver was faster
      }
    }
  }

  // How many slots were received, modulo 2^32.
  HEL_HD std::uint32_t received() const noexcept { return head_.load_relaxed(); }

  // The word in which the next slot will show, for who looks at several doorbells at once, and whether `found`, read
  // there, is one. Hints, as another receiver may take it.
  HEL_HD const rpc_cell& next_cell() const noexcept { return cell_of(head_.load_relaxed()); }
  HEL_HD bool is_next(std::uint32_t found) const noexcept {
    return found >> rpc_slot_bits == detail::rpc_round(head_.load_relaxed(), log2_cells_);
  }
  // The slot that comes next, or none. A hint, too.
  HEL_HD std::uint32_t peek() const noexcept {
    const std::uint32_t cell = next_cell().load_acquire();
    return is_next(cell) ? cell & (rpc_most_slots - 1) : none;
  }

 private:
  HEL_HD rpc_cell& cell_of(std::uint32_t ticket) const noexcept { return cells_[ticket & ((1u << log2_cells_) - 1)]; }

  rpc_cell* cells_;
  std::uint32_t log2_cells_;
  alignas(64) atomic<std::uint32_t> head_;
};

}  // namespace hel::core

#include "tools/bench/runtime/tally.hpp"

#include <array>
#include <stdexcept>

namespace hel_bench {
namespace {

std::array<tally_slot, 1024> slots;
std::atomic<std::size_t> used{0};  // slots from here on were never taken

struct owner {
  tally_slot* slot = nullptr;
  owner() {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].taken.exchange(true)) continue;
      slot = &slots[i];
      for (std::size_t u = used; u <= i && !used.compare_exchange_weak(u, i + 1);) {
      }
      return;
    }
    throw std::runtime_error("more threads than counters");
  }
  ~owner() { slot->taken = false; }
};

}  // namespace

tally_slot& own_tally() {
  thread_local constinit tally_slot* cached = nullptr;
  if (!cached) {
    thread_local owner o;
    cached = o.slot;
  }
  return *cached;
}

std::uint64_t tallied() {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < used; ++i) sum += slots[i].count.load(std::memory_order_acquire);
  return sum;
}

void reset_tally() {
  for (std::size_t i = 0; i < used; ++i) slots[i].count.store(0, std::memory_order_relaxed);
}

}  // namespace hel_bench

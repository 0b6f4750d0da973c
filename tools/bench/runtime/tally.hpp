// Counts what many threads do without a shared cache line: a counter for each thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace hel_bench {

struct alignas(128) tally_slot {
  std::atomic<std::uint64_t> count{0};
  std::atomic<bool> taken{false};
};

// The calling thread's slot, given back when the thread ends. Its count stays.
tally_slot& own_tally();

inline void tally() {
  std::atomic<std::uint64_t>& count = own_tally().count;
  count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}
std::uint64_t tallied();  // by all threads since the reset
void reset_tally();       // while nobody counts

}  // namespace hel_bench

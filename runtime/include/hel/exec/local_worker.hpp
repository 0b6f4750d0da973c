// What the awaitables reach of the worker that they run on, without a call: its deque and its counters.
#pragma once

#include <atomic>
#include <cstdint>

#include "hel/exec/executor.hpp"
#include "hel/exec/work_stealing_deque.hpp"

namespace hel::exec {

// Counters are written by their owner only. Finished ones are summed first: if the sums are equal, there was a moment
// in between at which every root that had started was over.
struct root_counters {
  std::atomic<std::uint64_t> started{0}, finished{0};

  static void add_one(std::atomic<std::uint64_t>& n) noexcept {
    n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
};

// A worker of the work-stealing executor.
struct local_worker {
  executor* owner = nullptr;
  std::atomic<std::uint32_t> attention{0};  // not 0: the executor wants to know of new work
  root_counters roots;
  work_stealing_deque deque;

  // Makes `frame` ready on this worker, which is the calling one.
  void push(void* frame) {
    deque.push(frame);
    // The work must be visible before it is asked who sleeps: a compiler barrier is enough where the kernel has
    // membarrier (asymmetric_fence.hpp); elsewhere `attention` is never 0, and published() fences.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (attention.load(std::memory_order_relaxed) != 0) [[unlikely]]
      tell(*owner);
  }

 private:
  HEL_COLD_NOEXCEPT static void tell(executor& e) noexcept { e.published(); }
};

// The worker that this thread is; null: another thread, or a worker of another kind of executor.
inline constinit thread_local local_worker* this_worker = nullptr;

}  // namespace hel::exec

// What the awaitables reach of the worker that they run on, without a call: its deque and its counters.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>

#include "hel/cpu/step_observer.hpp"
#include "hel/detail/frame_memory.hpp"
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
  std::atomic<std::uint64_t> run_inline{0};
  unsigned inline_depth = 0;      // tasks that run inside spawn_ready()
  const void* counted = nullptr;  // the join_group of a batch of which it runs a part, and how many tasks ended
  std::uint32_t count = 0;

  // Makes `frame` ready on this worker, which is the calling one.
  void push(void* frame) {
    deque.push(frame);
    announce();
  }

  // The same for a task that was just spawned. Where many wait already, it runs here and now, up to its first
  // suspension: more parallelism is of no use, and its memory is used again at once. So it does where frames are short.
  void spawn_ready(void* frame) {
    if (!deque.push_few(frame)) [[unlikely]]
      return run_or_push(*this, frame);
    announce();
  }

 private:
  static constexpr unsigned deepest = 16;  // bounds the stack

  void announce() noexcept {
    // The work must be visible before it is asked who sleeps: a compiler barrier is enough where the kernel has
    // membarrier (asymmetric_fence.hpp); elsewhere `attention` is never 0, and published() fences.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (attention.load(std::memory_order_relaxed) != 0) [[unlikely]]
      tell(*owner);
  }
  HEL_COLD static void run_or_push(local_worker& w, void* frame) {
    if (w.deque.none_waits() && !detail::frames_are_short()) {
      w.deque.let_few_wait();
      return w.push(frame);
    }
    if (w.inline_depth == deepest || detail::in_lane.load_relaxed()) return w.push(frame);  // a lane's stack is small
    root_counters::add_one(w.run_inline);
    ++w.inline_depth;
    if (detail::tasks_recorded) detail::step_resuming(std::coroutine_handle<>::from_address(frame));
    std::coroutine_handle<>::from_address(frame).resume();
    --w.inline_depth;
    detail::look_at_frames();
  }
  HEL_COLD_NOEXCEPT static void tell(executor& e) noexcept { e.published(); }
};

// The worker that this thread is; null: another thread, or a worker of another kind of executor.
inline constinit thread_local local_worker* this_worker = nullptr;

}  // namespace hel::exec

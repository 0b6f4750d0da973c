// Where a task finds its executor, on either side.
#pragma once

#include <coroutine>

#include "hel/annotate.hpp"
#include "hel/core/platform.hpp"
#include "hel/cpu/step_observer.hpp"
#include "hel/exec/executor.hpp"
#include "hel/exec/local_worker.hpp"
#if defined(__CUDACC__)
#  include "hel/cuda/device_context.hpp"
#endif

namespace hel::detail {

// The executor whose worker this thread is, if any.
inline constinit thread_local exec::executor* current_executor = nullptr;

// The executor that a suspended task returns to. Null on the device, which has one scheduler, and in a thread that is
// no worker.
HEL_HD inline exec::executor* current_home() noexcept {
#if defined(__CUDA_ARCH__)
  return nullptr;
#else
  return current_executor;
#endif
}

// The executor of what a task spawns.
HEL_HD inline exec::executor* spawn_home() noexcept {
#if defined(__CUDA_ARCH__)
  return nullptr;
#else
  return current_executor ? &current_executor->spawns() : nullptr;
#endif
}

// For one scope, the calling thread runs for another executor than the one whose worker it is. It is no local_worker
// meanwhile: what would go to its own deque directly goes through the executor.
class executor_scope {
 public:
  explicit executor_scope(exec::executor* e) noexcept : executor_(current_executor), worker_(exec::this_worker) {
    current_executor = e;
    exec::this_worker = nullptr;
  }
  executor_scope(executor_scope&&) = delete;
  ~executor_scope() {
    current_executor = executor_;
    exec::this_worker = worker_;
  }

 private:
  exec::executor* const executor_;
  exec::local_worker* const worker_;
};

// Makes a suspended coroutine ready. A null home on the host is a host_wait or a coroutine without an executor: it is
// resumed here and now.
HEL_HD inline void enqueue(exec::executor* home, std::coroutine_handle<> h) noexcept {
#if defined(__CUDA_ARCH__)
  device::enqueue(h.address());
#else
  exec::local_worker* const w = exec::this_worker;
  if (w && w->owner == home) [[likely]]
    w->push(h.address());
  else if (home)
    home->schedule(h);
  else
    h.resume();
#endif
}

// Roots are counted by the worker that starts them, before they are made ready, and by the one that ends them.
inline void count_root_started(exec::executor& home) noexcept {
  exec::local_worker* const w = exec::this_worker;
  if (w && w->owner == &home) [[likely]]
    exec::root_counters::add_one(w->roots.started);
  else
    home.root_started();
}
inline void count_root_finished(exec::executor& home) noexcept {
  exec::local_worker* const w = exec::this_worker;
  if (w && w->owner == &home) [[likely]]
    exec::root_counters::add_one(w->roots.finished);
  else
    home.root_finished();
}

// Where tasks are recorded: `h` runs next; in single-step mode through the executor's queue.
HEL_COLD_NOEXCEPT inline std::coroutine_handle<> step_transfer(std::coroutine_handle<> h) noexcept {
  if (single_step && current_executor) {
    current_executor->schedule_next(h);
    return std::noop_coroutine();
  }
  step_resuming(h);
  return h;
}

// A task is over, its frame gone.
inline void step_over(std::coroutine_handle<> frame) noexcept {
  if (!tasks_recorded) return;
  step_done(frame);
  step_destroyed(frame);
}

// A task was made.
HEL_COLD_NOEXCEPT inline void step_made(std::coroutine_handle<> frame) noexcept { step_created(frame); }

// `waiting` awaits the task at `h`, which runs next.
HEL_COLD_NOEXCEPT inline std::coroutine_handle<> step_call(std::coroutine_handle<> waiting,
                                                           std::coroutine_handle<> h) noexcept {
  step_waits(waiting, wait_kind::call, h.address());
  return step_transfer(h);
}

// The frame to continue with after `h` was woken by the calling task: `h` itself where this thread may run it.
HEL_HD inline std::coroutine_handle<> transfer_or_enqueue(exec::executor* home, std::coroutine_handle<> h) noexcept {
#if defined(__CUDA_ARCH__)
  return h;
#else
  if (!home || (home == current_executor && !tasks_recorded)) return h;
  if (home == current_executor && !single_step) return step_transfer(h);
  home->schedule(h);
  return std::noop_coroutine();
#endif
}

}  // namespace hel::detail

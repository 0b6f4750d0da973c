// What every executor of the CPU fallback offers to the awaitables.
#pragma once

#include <coroutine>
#include <memory>

#include "hel/exec/action.hpp"
#include "hel/exec/host_calls.hpp"
#include "hel/exec/timers.hpp"

namespace hel::exec {

// One executor serves one runtime. Every function may be called from any thread unless it says otherwise. A handle
// given to schedule*() is resumed exactly once, by a thread of this executor; it is a coroutine, or an action.
class executor {
 public:
  explicit executor(bool virtual_time = false)
      : timers_(virtual_time), host_calls_(std::make_shared<exec::host_calls>()) {}
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor() = default;

  // Makes `h` ready, likely on the worker that calls. Never suspends, never blocks for long.
  virtual void schedule(std::coroutine_handle<> h) noexcept = 0;
  // Makes `h` ready behind everything that is ready now (hel::yield).
  virtual void schedule_last(std::coroutine_handle<> h) noexcept = 0;
  // Makes `h` the next thing to run: a transfer of control that the stepper wants to see.
  virtual void schedule_next(std::coroutine_handle<> h) noexcept { schedule(h); }

  // Work was made ready without a call (local_worker.hpp).
  virtual void published() noexcept {}

  // Counts the roots: tasks that were spawned or launched. The count rises before the task is made ready and falls
  // when it is over; the runtime ends when it is zero.
  virtual void root_started() noexcept = 0;
  virtual void root_finished() noexcept = 0;

  // Calls were submitted to host_calls(): sees to it that they are served.
  virtual void calls_submitted() noexcept = 0;
  exec::host_calls& host_calls() noexcept { return *host_calls_; }

  // Memory that tasks and host share, zeroed, aligned to 64. Throws std::bad_alloc.
  virtual void* allocate_shared(std::size_t bytes);
  virtual void free_shared(void* p, std::size_t bytes) noexcept;

  // Blocks the calling thread (not a worker) until `event` is set; the deterministic executor runs tasks meanwhile.
  virtual void wait(host_event& event) = 0;

  // Blocks until every root is over.
  virtual void drain() = 0;

  timer_service& timers() noexcept { return timers_; }

 private:
  timer_service timers_;

 protected:
  const std::shared_ptr<exec::host_calls> host_calls_;  // shared with host threads that an abandoned call holds up
};

}  // namespace hel::exec

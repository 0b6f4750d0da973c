// What every executor of the CPU fallback offers to the awaitables.
#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstdint>
#include <memory>

#include "hel/exec/action.hpp"
#include "hel/exec/host_calls.hpp"
#include "hel/exec/timers.hpp"
#include "hel/statistics.hpp"

namespace hel {

// See hel/priority.hpp.
enum class priority : std::uint8_t { normal, high };

namespace detail {
struct cancel_state;
}
}  // namespace hel

namespace hel::exec {

class sub_executor;
class application_parts;

// When what is made ready is to run.
enum class turn : std::uint8_t {
  soon,  // likely on the worker that calls
  last,  // behind everything that is ready now
  next,  // before everything else
};

// One executor serves one runtime. Every function may be called from any thread unless it says otherwise. A handle
// given to schedule*() is resumed exactly once, by a thread of this executor; it is a coroutine, or an action.
class executor {
 public:
  explicit executor(bool virtual_time = false);
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;
  virtual ~executor();

  // Makes `h` ready, likely on the worker that calls. Never suspends, never blocks for long.
  virtual void schedule(std::coroutine_handle<> h) noexcept = 0;
  // Makes `h` ready behind everything that is ready now (hel::yield).
  virtual void schedule_last(std::coroutine_handle<> h) noexcept = 0;
  // Makes `h` the next thing to run: a transfer of control that the stepper wants to see.
  virtual void schedule_next(std::coroutine_handle<> h) noexcept { schedule(h); }

  // Makes a task ready that a worker has just spawned without a deque of its own at hand; it may run here and now, up
  // to its first suspension.
  virtual void schedule_spawned(std::coroutine_handle<> h) { schedule(h); }

  // Makes `h` ready before all that is not urgent.
  virtual void schedule_urgent(std::coroutine_handle<> h) noexcept { schedule(h); }

  // Makes `h` ready for a part of this executor (sub_executor.hpp), which is current while it runs.
  virtual void schedule_in(sub_executor& part, std::coroutine_handle<> h, turn when) noexcept;
  // The part of this executor for tasks of that priority that belong to the same application, or to none.
  virtual executor& at(priority p);
  // Where the tasks run that are spawned here: on the same workers, unless they are divided (hel/partition.hpp).
  executor& spawns() noexcept { return spawns_ ? *spawns_ : *this; }
  void spawn_on(executor& e) noexcept { spawns_ = &e; }  // before it is used

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

  // Blocks the calling thread (not a worker) until `event` is set; the deterministic executor runs tasks meanwhile, and
  // throws hel::deadlock when nothing can run any more.
  virtual void wait(host_event& event) = 0;
  // The same for `time` at most, in the executor's time; 0: the deterministic executor runs one thing. Whether it is
  // set.
  virtual bool wait_for(host_event& event, std::chrono::nanoseconds time) = 0;

  // Blocks until every root is over. hel::deadlock as wait().
  virtual void drain() = 0;

  // Of the whole runtime.
  virtual statistics stats() = 0;

  // In a child of the process that made it, an executor has no threads, and its locks may be held for ever.
  bool forked() const noexcept { return forks_ != process_forks.load(std::memory_order_relaxed); }
  void check_process() const {
    if (forked()) throw_forked();
  }

  timer_service& timers() noexcept { return *timers_; }

  // What is spawned here is cancelled by this token, which the executor keeps; null: by none.
  detail::cancel_state* token() const noexcept { return token_; }

  // How many times this process was made by fork() since it first made an executor; counted in the child.
  static inline std::atomic<std::uint32_t> process_forks{0};

 protected:
  // What all executors tell alike. kept: bytes of frames in the hands of threads that do nothing, of the calling one
  // excepted.
  void add_common(statistics& s, std::size_t kept);

  // A timer that has just fired may still be making something ready: what that needs must outlive this.
  void end_timers() noexcept { own_timers_.reset(); }

  // A part of another executor, whose timers it uses.
  executor(executor& whole, detail::cancel_state* token) noexcept
      : timers_(&whole.timers()), token_(token), host_calls_(whole.host_calls_) {}

 private:
  [[noreturn]] static void throw_forked();

  const std::uint32_t forks_ = process_forks.load(std::memory_order_relaxed);
  std::unique_ptr<timer_service> own_timers_;
  executor* spawns_ = nullptr;
  timer_service* timers_;
  detail::cancel_state* token_ = nullptr;

 protected:
  const std::shared_ptr<exec::host_calls> host_calls_;  // shared with host threads that an abandoned call holds up

 private:
  application_parts* parts_ = nullptr;  // of tasks that belong to no application of their own
};

}  // namespace hel::exec

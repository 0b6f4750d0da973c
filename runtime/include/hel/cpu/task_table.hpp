// The tasks that exist now, for debuggers and watchdogs. Kept only while hel::detail::tasks_recorded is set.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "hel/cpu/step_observer.hpp"

namespace hel {

// Every task that exists, in order of creation.
std::vector<task_record> tasks();
std::optional<task_record> find_task(std::coroutine_handle<> frame);

namespace detail {

// What a worker does, as a watchdog sees it. Written by the worker only.
struct worker_activity {
  std::atomic<std::uint64_t> steps{0};  // grows whenever a task is made, is resumed, suspends or ends
  std::atomic<std::uint64_t> task{0};   // the id of the one that runs; 0: none, or an action of the runtime
  std::atomic<bool> busy{false};

  void step() noexcept { steps.store(steps.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
};
// The calling thread is that worker from now on.
inline constinit thread_local worker_activity* own_activity = nullptr;

// The frame of the task that the calling thread runs, or null.
std::coroutine_handle<> running_task() noexcept;

// The records of a runtime that goes, whose tasks are not all over.
void forget_tasks(const void* runtime) noexcept;

// Lives as long as a runtime. Switches recording on while there is such a runtime, unless another one without lives
// already, and off after the last.
class recording_scope {
 public:
  explicit recording_scope(bool wanted);
  ~recording_scope();
  recording_scope(const recording_scope&) = delete;
  void abandon() noexcept { abandoned_ = true; }  // in a child of fork(), which has the locks as they were

 private:
  bool abandoned_ = false;
};

}  // namespace detail
}  // namespace hel

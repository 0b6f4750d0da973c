// What the deterministic executor tells a debugger, and how a debugger gets between a program and its runtime.
#pragma once

#include <coroutine>
#include <cstdint>

namespace hel {

struct cpu;

// Why a task is suspended.
enum class wait_kind : std::uint8_t {
  none,     // ready or running
  call,     // co_await f(): `on` is the frame of f
  join,     // co_await of a join_handle: `on` is the frame of the spawned task
  all,      // hel::when_all: `on` is the awaitable
  any,      // hel::when_any: `on` is the awaitable
  send,     // a full channel: `on` is the channel
  receive,  // an empty channel: `on` is the channel
  host,     // hel::host: `on` is the call
  yield,    // hel::yield
  group,    // hel::warp, hel::block: `on` is the call
  event,    // hel::event: `on` is the event
  ticket,   // hel::ticket: `on` stands for the ticket
  timer,    // hel::sleep_for: `on` is the operation
  service,  // a call or post of a hel::service: `on` is the service
  others,   // hel::spawn_after: not started, waits for the tasks, events and tickets before it
};

struct task_record {
  std::uint64_t id;               // counts from 1 in order of creation
  std::uint64_t parent;           // the task that created it; 0: none
  std::coroutine_handle<> frame;  // its address identifies the task while it lives
  wait_kind waits = wait_kind::none;
  const void* on = nullptr;  // what it waits for, see wait_kind
  bool done = false;         // at its final suspension
};

namespace exec {

// All calls come from the thread that runs the deterministic executor, or, for tasks created before it runs, from the
// thread that creates them. Every function may block for as long as the user thinks.
class step_observer {
 public:
  virtual ~step_observer() = default;
  virtual void task_created(const task_record&) {}
  virtual void before_resume(std::coroutine_handle<>) {}  // a task's frame, or an action of the runtime
  virtual void after_resume(std::coroutine_handle<>) {}   // the frame may be gone: use its address only
  virtual void task_waits(const task_record&) {}
  virtual void task_done(const task_record&) {}
  virtual void idle() {}  // nothing is ready, and tasks are left: a deadlock unless another thread wakes one
};

// Set before the first runtime is made. Each runtime then uses the deterministic executor and reports here.
inline step_observer* installed_observer = nullptr;

}  // namespace exec

namespace detail {
// Only called in single-step mode; in runtime/cpu/task_table.cpp.
void step_created(std::coroutine_handle<> frame) noexcept;
void step_destroyed(std::coroutine_handle<> frame) noexcept;
void step_done(std::coroutine_handle<> frame) noexcept;
void step_waits(std::coroutine_handle<> frame, wait_kind kind, const void* on) noexcept;
}  // namespace detail
}  // namespace hel

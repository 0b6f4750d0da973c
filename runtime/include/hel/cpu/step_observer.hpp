// What is known of tasks while they are recorded, for a debugger or for a watchdog; what the deterministic executor
// tells a debugger, and how a debugger gets between a program and its runtime.
#pragma once

#include <coroutine>
#include <cstdint>

namespace hel::abi {
inline namespace v1 {
struct frame_info;
struct state_info;
}  // namespace v1
}  // namespace hel::abi

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
  bool started = false;
  bool ready = false;             // in a queue; known on the threads executor only
  const void* runtime = nullptr;  // stands for the one that it belongs to; null: not known yet
  // Where it was last suspended, as it said itself; null: it was not lowered by hel-lower.
  const abi::frame_info* function = nullptr;
  const abi::state_info* state = nullptr;
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
// Tasks are recorded (hel/cpu/task_table.hpp). Changed only while no runtime exists, so it is no atomic: the hot path
// would pay for that.
inline bool tasks_recorded = false;
// Besides, for a stepper: transfers between tasks go through the executor's queue, which then sees every resumption.
inline bool single_step = false;

// Only called while tasks are recorded; in runtime/cpu/task_table.cpp. By the thread that runs the task, but for
// step_created and step_ready.
void step_created(std::coroutine_handle<> frame) noexcept;
void step_ready(std::coroutine_handle<> frame, const void* runtime) noexcept;
void step_resuming(std::coroutine_handle<> frame) noexcept;  // or an action of the runtime; null: nothing runs any more
void step_destroyed(std::coroutine_handle<> frame) noexcept;
void step_done(std::coroutine_handle<> frame) noexcept;
void step_waits(std::coroutine_handle<> frame, wait_kind kind, const void* on) noexcept;
}  // namespace detail
}  // namespace hel

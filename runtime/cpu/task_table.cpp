// Who is who among the tasks, kept while they are recorded: ids, parents, and what each task waits for and where.
#include "hel/cpu/task_table.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <unordered_map>

#include "hel/detail/context.hpp"
#include "stepper_tables.hpp"

namespace hel {
namespace {

// In parts, as all workers use it.
struct table {
  struct part {
    std::mutex mutex;
    std::unordered_map<const void*, task_record> tasks;
  };
  std::array<part, 64> parts;
  std::atomic<std::uint64_t> last_id{0};

  part& of(const void* frame) noexcept {
    return parts[(reinterpret_cast<std::uintptr_t>(frame) * 0x9e3779b97f4a7c15u) >> 58];
  }
};

table& the_table() {
  static auto* t = new table;  // tasks may end while static objects go
  return *t;
}

// The task that the thread runs. Atomic, though one thread's: ThreadSanitizer takes the lanes of a group for threads.
struct running {
  core::atomic<std::uintptr_t> frame;
  core::atomic<std::uint64_t> id;
};
constinit thread_local running now{};

void run(const void* frame, std::uint64_t id) noexcept {
  now.frame.store_relaxed(reinterpret_cast<std::uintptr_t>(frame));
  now.id.store_relaxed(id);
  if (detail::worker_activity* const a = detail::own_activity) {
    a->task.store(id, std::memory_order_relaxed);
    a->step();
  }
}
void count_step() noexcept {
  if (detail::worker_activity* const a = detail::own_activity) a->step();
}

exec::step_observer& observer() {
  static exec::step_observer silent;
  return exec::installed_observer ? *exec::installed_observer : silent;
}

// What stands for the runtime of the calling thread.
const void* current_runtime() noexcept {
  return detail::current_executor ? &detail::current_executor->timers() : nullptr;
}

// Changes the record of a live task and returns a copy, so that the observer is called without the lock.
template <class Change>
task_record change(std::coroutine_handle<> frame, Change apply) {
  table::part& t = the_table().of(frame.address());
  const std::lock_guard lock(t.mutex);
  const auto at = t.tasks.find(frame.address());
  if (at == t.tasks.end()) return {};
  apply(at->second);
  return at->second;
}

// By the thread that has the frame: reports must not read it later.
void note_place(task_record& r) noexcept {
  if (!r.function) return;
  const std::uint32_t index = abi::frame_state(r.frame.address(), *r.function);
  r.state = index < r.function->state_count ? &r.function->states[index] : nullptr;
}

std::mutex recording_mutex;
unsigned runtimes = 0;

}  // namespace

std::vector<task_record> tasks() {
  std::vector<task_record> all;
  for (table::part& t : the_table().parts) {
    const std::lock_guard lock(t.mutex);
    for (const auto& entry : t.tasks) all.push_back(entry.second);
  }
  std::sort(all.begin(), all.end(), [](const task_record& a, const task_record& b) { return a.id < b.id; });
  return all;
}

std::optional<task_record> find_task(std::coroutine_handle<> frame) {
  table::part& t = the_table().of(frame.address());
  const std::lock_guard lock(t.mutex);
  const auto at = t.tasks.find(frame.address());
  if (at == t.tasks.end()) return std::nullopt;
  return at->second;
}

namespace detail {

std::coroutine_handle<> running_task() noexcept {
  return std::coroutine_handle<>::from_address(reinterpret_cast<void*>(now.frame.load_relaxed()));
}

void step_resuming(std::coroutine_handle<> frame) noexcept {
  if (!frame) return run(nullptr, 0);
  const task_record r = change(frame, [](task_record& t) {
    t.waits = wait_kind::none;
    t.on = nullptr;
    t.ready = false;
    t.started = true;
    if (!t.runtime) t.runtime = current_runtime();
    note_place(t);
  });
  run(r.id != 0 ? frame.address() : nullptr, r.id);
}

void step_created(std::coroutine_handle<> frame) noexcept {
  table& t = the_table();
  task_record r;
  r.id = t.last_id.fetch_add(1, std::memory_order_relaxed) + 1;
  r.parent = now.id.load_relaxed();
  r.frame = frame;
  r.runtime = current_runtime();
  r.function = abi::find_frame_info(frame.address());
  try {
    table::part& p = t.of(frame.address());
    const std::lock_guard lock(p.mutex);
    p.tasks.insert_or_assign(frame.address(), r);
  } catch (const std::bad_alloc&) {
    return;  // then it is not in the reports
  }
  count_step();
  observer().task_created(r);
}

void step_destroyed(std::coroutine_handle<> frame) noexcept {
  const bool mine = running_task() == frame;
  table::part& t = the_table().of(frame.address());
  {
    const std::lock_guard lock(t.mutex);
    const auto at = t.tasks.find(frame.address());
    // A task that ends is told of when its frame is free already, and may be another one's.
    if (at != t.tasks.end() && (!mine || at->second.id == now.id.load_relaxed())) t.tasks.erase(at);
  }
  if (mine)
    run(nullptr, 0);
  else
    count_step();
}

void step_done(std::coroutine_handle<> frame) noexcept {
  const task_record r = change(frame, [](task_record& t) { t.done = true; });
  if (r.id != 0) observer().task_done(r);
}

void step_ready(std::coroutine_handle<> frame, const void* runtime) noexcept {
  change(frame, [runtime](task_record& t) {
    t.ready = true;
    t.runtime = runtime;
  });
}

void step_waits(std::coroutine_handle<> frame, wait_kind kind, const void* on) noexcept {
  const task_record r = change(frame, [&](task_record& t) {
    t.waits = kind;
    t.on = on;
    note_place(t);
  });
  count_step();
  if (r.id != 0) observer().task_waits(r);
}

void forget_tasks(const void* runtime) noexcept {
  for (table::part& t : the_table().parts) {
    const std::lock_guard lock(t.mutex);
    std::erase_if(t.tasks, [runtime](const auto& entry) { return entry.second.runtime == runtime; });
  }
}

recording_scope::recording_scope(bool wanted) {
  const std::lock_guard lock(recording_mutex);
  if (runtimes++ == 0 && wanted) tasks_recorded = true;
}

recording_scope::~recording_scope() {
  if (abandoned_) return;
  const std::lock_guard lock(recording_mutex);
  if (--runtimes != 0 || single_step || !tasks_recorded) return;
  tasks_recorded = false;
  the_table().last_id.store(0, std::memory_order_relaxed);
  for (table::part& t : the_table().parts) {
    const std::lock_guard part(t.mutex);
    t.tasks.clear();
  }
}

}  // namespace detail
}  // namespace hel

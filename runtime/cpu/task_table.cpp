// Who is who among the tasks, kept in single-step mode only: ids, parents, and what each task waits for.
#include "hel/cpu/task_table.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "hel/detail/context.hpp"

namespace hel {
namespace {

struct table {
  std::mutex mutex;
  std::unordered_map<const void*, task_record> tasks;
  std::uint64_t next_id = 1;
  std::uint64_t running = 0;
};

table& the_table() {
  static auto* t = new table;  // tasks may end while static objects go
  return *t;
}

exec::step_observer& observer() {
  static exec::step_observer silent;
  return exec::installed_observer ? *exec::installed_observer : silent;
}

// Changes the record of a live task and returns a copy, so that the observer is called without the lock.
template <class Change>
task_record change(std::coroutine_handle<> frame, Change apply) {
  table& t = the_table();
  const std::lock_guard lock(t.mutex);
  const auto at = t.tasks.find(frame.address());
  if (at == t.tasks.end()) return {};
  apply(at->second);
  return at->second;
}

}  // namespace

std::vector<task_record> tasks() {
  table& t = the_table();
  const std::lock_guard lock(t.mutex);
  std::vector<task_record> all;
  for (const auto& entry : t.tasks) all.push_back(entry.second);
  std::sort(all.begin(), all.end(), [](const task_record& a, const task_record& b) { return a.id < b.id; });
  return all;
}

std::optional<task_record> find_task(std::coroutine_handle<> frame) {
  table& t = the_table();
  const std::lock_guard lock(t.mutex);
  const auto at = t.tasks.find(frame.address());
  if (at == t.tasks.end()) return std::nullopt;
  return at->second;
}

namespace detail {

void step_resuming(std::coroutine_handle<> frame) noexcept {
  const task_record r = change(frame, [](task_record& t) {
    t.waits = wait_kind::none;
    t.on = nullptr;
  });
  table& all = the_table();
  const std::lock_guard lock(all.mutex);
  all.running = r.id;
}

void step_created(std::coroutine_handle<> frame) noexcept {
  table& t = the_table();
  task_record r;
  {
    const std::lock_guard lock(t.mutex);
    r.id = t.next_id++;
    r.parent = t.running;
    r.frame = frame;
    t.tasks.insert_or_assign(frame.address(), r);
  }
  observer().task_created(r);
}

void step_destroyed(std::coroutine_handle<> frame) noexcept {
  table& t = the_table();
  const std::lock_guard lock(t.mutex);
  t.tasks.erase(frame.address());
}

void step_done(std::coroutine_handle<> frame) noexcept {
  const task_record r = change(frame, [](task_record& t) { t.done = true; });
  if (r.id != 0) observer().task_done(r);
}

void step_waits(std::coroutine_handle<> frame, wait_kind kind, const void* on) noexcept {
  const task_record r = change(frame, [&](task_record& t) {
    t.waits = kind;
    t.on = on;
  });
  if (r.id != 0) observer().task_waits(r);
}

}  // namespace detail
}  // namespace hel

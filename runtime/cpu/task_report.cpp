#include "task_report.hpp"

#include "stepper_tables.hpp"

namespace hel::exec {
namespace {

// Of very many tasks, most say the same.
constexpr std::size_t most_lines = 200;

std::string does(const task_record& t, object_names& names,
                 const std::vector<const detail::worker_activity*>& workers) {
  for (std::size_t i = 0; i < workers.size(); ++i)
    if (workers[i]->task.load(std::memory_order_relaxed) == t.id) return "runs on worker " + std::to_string(i);
  if (t.ready) return "is ready";
  if (const std::string what = names.waits_for(t); !what.empty()) return "waits for " + what;
  return t.started ? "is suspended" : "has not been started";  // in an awaitable of the program's own; or only called
}

}  // namespace

std::string object_names::name(const char* kind, const void* object) {
  auto& numbers = seen_[kind];
  const auto [it, added] = numbers.try_emplace(object, numbers.size() + 1);
  return std::string(kind) + " " + std::to_string(it->second);
}

std::string object_names::waits_for(const task_record& t) {
  switch (t.waits) {
  case wait_kind::none: return {};
  case wait_kind::call:
  case wait_kind::join: {
    const auto other = find_task(std::coroutine_handle<>::from_address(const_cast<void*>(t.on)));
    return other ? "task " + std::to_string(other->id) : "a coroutine";
  }
  case wait_kind::all: return "all of several tasks";
  case wait_kind::any: return "the first of several tasks";
  case wait_kind::send: return "room in " + name("channel", t.on);
  case wait_kind::receive: return "a value from " + name("channel", t.on);
  case wait_kind::host: return "a call on the host";
  case wait_kind::yield: return "its next turn";
  case wait_kind::group: return "a group of lanes";
  case wait_kind::event: return name("event", t.on);
  case wait_kind::ticket: return name("ticket", t.on);
  case wait_kind::timer: return "a timer";
  case wait_kind::service: return name("service", t.on);
  case wait_kind::others: return "what it was spawned after";
  }
  return "something";
}

std::string name_and_place(const task_record& t) {
  if (!t.function) return "task";
  const std::uint32_t line = t.state ? t.state->line : t.function->line;
  return std::string(t.function->function) + " (" + t.function->file + ":" + std::to_string(line) + ")";
}

std::string list_tasks(const void* runtime, const std::vector<const detail::worker_activity*>& workers) {
  object_names names;
  std::string list;
  std::size_t lines = 0, more = 0;
  for (const task_record& t : tasks()) {
    if (t.runtime != runtime || t.done) continue;
    if (lines == most_lines) {
      ++more;
      continue;
    }
    ++lines;
    list += "  task " + std::to_string(t.id) + ": " + name_and_place(t) + " " + does(t, names, workers) + "\n";
  }
  if (more > 0) list += "  and " + std::to_string(more) + " more\n";
  return list;
}

}  // namespace hel::exec

// The exception by which an executor reports that nothing can run any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace hel {

// What a runtime on the threads executor does about a deadlock that its watchdog has found (hel::cpu::watchdog). The
// deterministic executor always throws.
enum class on_deadlock : std::uint8_t {
  report,  // writes to standard error, and waits on
  raise    // besides, wait(), get(), drain() and stop() throw hel::deadlock
};

// Thrown to the thread that waits for an application: no task is ready, yet `tasks` that were spawned or launched are
// not over. Only something outside could still wake one: another runtime, an application launched later, a thread that
// sets an event. With a watchdog, what() has a line for each task, which says what it waits for, and where.
class deadlock : public std::runtime_error {
 public:
  // `list`: lines, of which each has its end.
  explicit deadlock(std::size_t tasks, const std::string& list = {})
      : std::runtime_error("deadlock: no task is ready, and " + std::to_string(tasks) +
                           " spawned or launched tasks are not over" +
                           (list.empty() ? list : "\n" + list.substr(0, list.size() - 1))),
        tasks_(tasks) {}
  std::size_t tasks() const noexcept { return tasks_; }

 private:
  std::size_t tasks_;
};

}  // namespace hel

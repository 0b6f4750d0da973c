// The exception by which the deterministic executor reports that nothing can run any more.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace hel {

// Thrown to the thread that waits for an application: no task is ready, yet `tasks` that were spawned or launched are
// not over. Only something outside could still wake one: another runtime, or an application launched later.
class deadlock : public std::runtime_error {
 public:
  explicit deadlock(std::size_t tasks)
      : std::runtime_error("deadlock: no task is ready, and " + std::to_string(tasks) +
                           " spawned or launched tasks are not over"),
        tasks_(tasks) {}
  std::size_t tasks() const noexcept { return tasks_; }

 private:
  std::size_t tasks_;
};

}  // namespace hel

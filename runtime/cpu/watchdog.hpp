// Looks now and then whether a runtime gets on, and says who waits for what when it does not.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hel/cpu/task_table.hpp"

namespace hel::exec {

// An executor at one moment.
struct activity {
  std::uint64_t progress = 0;    // another number after anything has happened
  std::uint64_t unfinished = 0;  // roots
  std::size_t ready = 0, timers = 0, host_calls = 0;
  bool asleep = false;  // every worker is, and nothing is ready

  // Nothing will happen any more, unless something outside of the executor wakes a task.
  bool stuck() const noexcept { return unfinished > 0 && asleep && timers == 0 && host_calls == 0; }
};

// What a watchdog watches.
class watched {
 public:
  virtual activity look() = 0;
  virtual std::vector<const detail::worker_activity*> activities() const = 0;
  virtual const void* runtime() const = 0;  // whose tasks are in the reports
  // A deadlock was found; called by the watchdog's thread.
  virtual void stuck() {}

 protected:
  ~watched() = default;
};

class watchdog {
 public:
  // `limit`: for how long nothing may happen while roots are not over, or a worker may run a task that does not
  // suspend.
  watchdog(watched& w, std::chrono::nanoseconds limit);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  // Throws hel::deadlock if one was found and has not been resolved since.
  void check();

 private:
  using clock = std::chrono::steady_clock;
  struct found {
    activity at;
    std::string tasks;
  };

  void watch();
  void look();
  std::vector<std::size_t> held(clock::time_point now);
  std::string list() const;

  watched& watched_;
  const std::chrono::nanoseconds limit_;
  const std::vector<const detail::worker_activity*> workers_;

  // The watchdog's own.
  struct progress {
    std::uint64_t steps = 0;
    clock::time_point since = clock::now();
    bool reported = false;

    // Whether it is time for a report.
    bool late(std::uint64_t now_at, bool busy, clock::time_point now, std::chrono::nanoseconds limit) noexcept;
  };
  progress all_;
  std::vector<progress> each_;

  std::mutex mutex_;  // of what follows
  std::condition_variable wake_;
  bool stopping_ = false;
  std::optional<found> deadlock_;
  std::thread thread_;
};

}  // namespace hel::exec

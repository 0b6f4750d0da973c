// A hand-written coroutine frame: something that is not a coroutine but can be resumed as one.
//
// Executors queue coroutine handles and nothing else. The library's own work (a host call, a host thread that waits, a
// group of lanes) joins the same queues by starting with the two pointers that every host frame starts with.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <mutex>

#include "hel/annotate.hpp"

namespace hel::exec {

struct action {
  HEL_HD explicit action(void (*run)(void*)) noexcept : resume(run) {}
  std::coroutine_handle<> handle() noexcept { return std::coroutine_handle<>::from_address(this); }

  void (*resume)(void*);
  void (*destroy)(void*) = nullptr;  // never called: an action belongs to whoever made it
  action* chained = nullptr;         // for the queue that holds it
};

// Lets a thread outside the executor wait for something.
class host_event {
 public:
  bool is_set() {
    const std::lock_guard lock(mutex_);
    return set_;
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return set_; });
  }
  // Whether it is set.
  bool wait_for(std::chrono::nanoseconds time) {
    // A clock that cannot be set, and no sum that overflows.
    using clock = std::chrono::steady_clock;
    const clock::time_point now = clock::now();
    const auto most = clock::time_point::max() - now;
    std::unique_lock lock(mutex_);
    return changed_.wait_until(lock, time < most ? now + time : clock::time_point::max(), [this] { return set_; });
  }

  void set() noexcept {
    // Notified under the lock: the waiter may destroy the event as soon as it can see that it is set.
    const std::lock_guard lock(mutex_);
    set_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool set_ = false;
};

}  // namespace hel::exec

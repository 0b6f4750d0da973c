// Timers of one executor: sleeping tasks, delays between attempts, time-outs.
//
// In real time a thread of its own, which exists from the first timer on, makes what is due ready. In virtual time
// (deterministic executor) nothing waits: when no task is ready, the clock jumps to the next timer.
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace hel::exec {

class executor;

// Belongs to whoever sets it and stays where it is until it has fired or was cancelled.
struct timer_entry {
  std::coroutine_handle<> handle;  // scheduled on `home` when the time has come
  executor* home = nullptr;

  // The service's own.
  std::int64_t due = 0;     // nanoseconds since the executor was made
  std::uint64_t order = 0;  // of two that are due at once, the first one set fires first
  std::size_t place = 0;    // in the heap, counted from 1; 0: not set
};

// Every function may be called from any thread.
class timer_service {
 public:
  explicit timer_service(bool virtual_time) noexcept : virtual_time_(virtual_time) {}
  ~timer_service();  // when no timer is left
  timer_service(const timer_service&) = delete;
  timer_service& operator=(const timer_service&) = delete;

  // Since the executor was made.
  std::chrono::nanoseconds now() noexcept;

  void set(timer_entry& e, std::chrono::nanoseconds delay);
  // True: it will not fire any more. False: it has fired, or is about to.
  bool cancel(timer_entry& e) noexcept;

  // Virtual time only: jumps to the next timer and fires it. False: there is none until `limit`, to which it has
  // jumped; without a limit, it stays where it is.
  static constexpr std::chrono::nanoseconds no_limit = std::chrono::nanoseconds::max();
  bool advance(std::chrono::nanoseconds limit = no_limit);

  // Another number at each call, the same ones in the same order in every run of a deterministic executor.
  std::uint64_t draw() noexcept;
  std::uint64_t drawn() noexcept;  // how many

  std::size_t pending() noexcept;

 private:
  using clock = std::chrono::steady_clock;

  void serve();
  static bool earlier(const timer_entry* a, const timer_entry* b) noexcept {
    return a->due != b->due ? a->due < b->due : a->order < b->order;
  }
  void put(std::size_t place, timer_entry* e) noexcept;
  void sift_up(std::size_t place, timer_entry* e) noexcept;
  void sift_down(std::size_t place, timer_entry* e) noexcept;
  void remove(timer_entry& e) noexcept;

  const bool virtual_time_;
  const clock::time_point start_ = clock::now();
  std::mutex mutex_;  // of everything below
  std::condition_variable changed_;
  std::vector<timer_entry*> heap_;  // the earliest first
  std::chrono::nanoseconds virtual_now_{};
  std::uint64_t set_ = 0, drawn_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace hel::exec

// One thread at a time, in a reproducible order.
//
// The thread that waits for an application runs the tasks; nothing runs while nobody waits. Ready tasks run first in,
// first out, or, with a seed other than zero, in an order that the seed alone decides. Host calls run in the same
// thread when their turn comes, so a host function must not wait for another task.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "hel/cpu/step_observer.hpp"
#include "hel/exec/executor.hpp"

namespace hel::exec {

class deterministic_executor final : public executor {
 public:
  deterministic_executor(std::uint64_t seed, step_observer* observer);

  void schedule(std::coroutine_handle<> h) noexcept override;
  void schedule_last(std::coroutine_handle<> h) noexcept override { schedule(h); }
  void schedule_next(std::coroutine_handle<> h) noexcept override;
  void root_started() noexcept override;
  void root_finished() noexcept override;
  void calls_submitted() noexcept override;
  void wait(host_event& event) override;
  void drain() override;

 private:
  // Serves one host call each time it is resumed; queued once for each that was submitted.
  struct serving : action {
    explicit serving(deterministic_executor* e) noexcept : action(&serving::run), home(e) {}
    static void run(void* self) { static_cast<serving*>(static_cast<action*>(self))->home->serve_call(); }
    deterministic_executor* home;
  };
  void serve_call();

  template <class Done>
  void run_until(Done done);
  std::coroutine_handle<> take();

  std::mutex mutex_;  // of the queue: other threads may launch, and tasks of other runtimes may wake ours
  std::condition_variable changed_;
  std::deque<std::coroutine_handle<>> ready_;
  std::size_t urgent_ = 0;   // how many of the first entries were put there by schedule_next
  bool running_ = false;     // some thread runs tasks
  std::size_t waiting_ = 0;  // threads that wait for that one
  std::size_t roots_ = 0;
  std::uint64_t random_;
  const bool permute_;
  step_observer* const observer_;
  serving serving_{this};
};

}  // namespace hel::exec

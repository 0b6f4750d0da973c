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
  // lists_tasks: where they are recorded, in hel::deadlock.
  deterministic_executor(std::uint64_t seed, bool lists_tasks, step_observer* observer);

  void schedule(std::coroutine_handle<> h) noexcept override { enqueue({h, nullptr}, turn::soon); }
  void schedule_last(std::coroutine_handle<> h) noexcept override { enqueue({h, nullptr}, turn::last); }
  void schedule_next(std::coroutine_handle<> h) noexcept override { enqueue({h, nullptr}, turn::next); }
  void schedule_in(sub_executor& part, std::coroutine_handle<> h, turn when) noexcept override;
  void root_started() noexcept override;
  void root_finished() noexcept override;
  void calls_submitted() noexcept override;
  void wait(host_event& event) override;
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override;
  void drain() override;
  statistics stats() override;

 private:
  // Serves one host call each time it is resumed; queued once for each that was submitted.
  struct serving : action {
    explicit serving(deterministic_executor* e) noexcept : action(&serving::run), home(e) {}
    static void run(void* self) { static_cast<serving*>(static_cast<action*>(self))->home->serve_call(); }
    deterministic_executor* home;
  };
  void serve_call();

  struct ready {
    std::coroutine_handle<> frame;
    sub_executor* part;  // shared; null: it belongs to none
  };
  enum class end : std::uint8_t { done, stuck, out_of_time };

  void enqueue(ready r, turn when) noexcept;
  template <class Done>
  end run_until(Done done, std::size_t steps, std::chrono::nanoseconds limit);
  template <class Done>
  void run_until(Done done);
  ready take();

  std::mutex mutex_;  // of the queue: other threads may launch, and tasks of other runtimes may wake ours
  std::condition_variable changed_;
  std::deque<ready> ready_, high_;  // of normal and of high priority
  std::size_t high_taken_ = 0;
  std::size_t urgent_ = 0;   // how many of the first entries were put there by schedule_next
  bool running_ = false;     // some thread runs tasks
  std::size_t waiting_ = 0;  // threads that wait for that one
  std::size_t roots_ = 0;
  std::uint64_t roots_started_ = 0, resumed_ = 0;
  std::uint64_t random_;
  const bool permute_, lists_tasks_;
  step_observer* const observer_;
  serving serving_{this};
};

}  // namespace hel::exec

// Several workers, each with its own deque; who has nothing steals, who finds nothing sleeps.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hel/exec/local_worker.hpp"
#include "hel/exec/sub_executor.hpp"
#include "hel/partition.hpp"
#include "host_server.hpp"
#include "watchdog.hpp"

namespace hel::exec {

// Where tasks are recorded (hel/cpu/task_table.hpp), workers have no direct way to their deques: everything that is
// made ready comes by here, and every task is told of at its end.
class threads_executor final : public executor, watched {
 public:
  threads_executor(const partition& p, unsigned host_threads);
  ~threads_executor() override;  // after drain()

  // Once, before anything is launched. raises: wait() and drain() throw hel::deadlock.
  void watch(std::chrono::nanoseconds limit, bool raises);

  // This one is that of spawned tasks; of these two, what has no workers of its own is the same.
  executor& services() noexcept { return *services_; }
  executor& applications() noexcept { return *applications_; }

  void schedule(std::coroutine_handle<> h) noexcept override { schedule_on(*tasks_, h); }
  void schedule_last(std::coroutine_handle<> h) noexcept override { inject(*tasks_, tasks_->ready, h); }
  void schedule_urgent(std::coroutine_handle<> h) noexcept override { inject(*tasks_, tasks_->urgent, h); }
  void schedule_spawned(std::coroutine_handle<> h) override;
  void published() noexcept override;
  void root_started() noexcept override;
  void root_finished() noexcept override;
  void calls_submitted() noexcept override { host_.notify(); }
  void wait(host_event& event) override;
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override { return event.wait_for(time); }
  void drain() override;
  statistics stats() override;

 private:
  struct group;
  class face;

  struct alignas(64) worker : local_worker {
    std::uint64_t random = 0;
    unsigned tick = 0, urgent_taken = 0;
    std::atomic<int> wake{0};  // set by who took this worker off the idle list
    group* of = nullptr;
    detail::worker_activity activity;  // where tasks are recorded
    std::atomic<bool> running{false};  // has found something to do, and not yet looked in vain
    const detail::frame_cache* frames = nullptr;
    std::atomic<std::uint64_t> resumed{0}, stolen{0}, slept{0};  // see hel::statistics
    std::thread thread;
  };

  // What comes from outside a group's workers, or goes to all of them.
  struct queue {
    std::deque<void*> frames;
    std::atomic<std::size_t> size{0};  // readable without the lock
  };
  // Workers that share what there is to do. Usually there is one group.
  struct group {
    std::vector<worker*> workers;
    executor* as = nullptr;  // the current executor of its workers
    std::mutex mutex;        // of the queues
    queue ready, urgent;
    std::vector<worker*> idle;                 // with idle_mutex_
    std::atomic<std::uint32_t> idle_count{0};  // its size, readable without the lock; each worker has a copy
  };

  // The worker of this executor that the calling thread is, or null.
  worker* self() const noexcept {
#if defined(HEL_TSAN)
    if (detail::in_lane.load_relaxed()) return nullptr;  // the lanes of a group are threads of their own
#endif
    return own_worker && own_worker->owner == this ? own_worker : nullptr;
  }
  static constinit thread_local worker* own_worker;

  group& add_group(unsigned workers, executor& as);
  void schedule_on(group& g, std::coroutine_handle<> h) noexcept;
  void run(worker& w);
  template <bool Recorded>
  void run_tasks(worker& w);
  void* find(worker& w);
  static void* take(group& g, queue& q) noexcept;
  void* next_answer() noexcept;
  static void* steal(worker& w);
  void sleep(worker& w);
  bool anything_ready(const group& g) const noexcept;
  void inject(group& g, queue& q, std::coroutine_handle<> h) noexcept;
  bool wake_one(group& g) noexcept;
  static void count_idle(group& g) noexcept;
  // Roots that are started and not over, more at most.
  std::uint64_t roots_left() const noexcept;
  bool all_roots_over() const noexcept { return roots_left() == 0; }
  void notify_drain() noexcept;
  activity look() override;
  std::vector<const detail::worker_activity*> activities() const override;
  const void* runtime() const override { return &const_cast<threads_executor*>(this)->timers(); }
  void stuck() override;

  const bool recorded_ = detail::tasks_recorded;
  std::vector<std::unique_ptr<group>> groups_;
  group* tasks_ = nullptr;  // the first of them
  std::vector<std::unique_ptr<face>> faces_;
  executor* services_ = this;
  executor* applications_ = this;
  std::vector<std::unique_ptr<worker>> workers_;
  root_counters outside_;  // roots started by threads that are no workers; `started` is added to by many

  std::mutex idle_mutex_;
  std::atomic<bool> stopping_{false};

  std::mutex drain_mutex_;
  std::condition_variable drained_;
  std::atomic<bool> draining_{false};

  host_server host_;

  bool raises_ = false;
  std::optional<watchdog> watchdog_;
};

}  // namespace hel::exec

// Several workers, each with its own deque; who has nothing steals, who finds nothing sleeps.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hel/exec/local_worker.hpp"
#include "host_server.hpp"

namespace hel::exec {

class threads_executor final : public executor {
 public:
  threads_executor(unsigned workers, unsigned host_threads);
  ~threads_executor() override;  // after drain()

  void schedule(std::coroutine_handle<> h) noexcept override;
  void schedule_last(std::coroutine_handle<> h) noexcept override;
  void schedule_urgent(std::coroutine_handle<> h) noexcept override { inject(urgent_, h.address()); }
  void published() noexcept override { wake_one(); }
  void root_started() noexcept override;
  void root_finished() noexcept override;
  void calls_submitted() noexcept override { host_.notify(); }
  void wait(host_event& event) override { event.wait(); }
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override { return event.wait_for(time); }
  void drain() override;

 private:
  struct alignas(64) worker : local_worker {
    std::uint64_t random = 0;
    unsigned tick = 0, urgent_taken = 0;
    std::atomic<int> wake{0};  // set by who took this worker off the idle list
    std::thread thread;
  };

  // The worker of this executor that the calling thread is, or null.
  worker* self() const noexcept { return own_worker && own_worker->owner == this ? own_worker : nullptr; }
  static constinit thread_local worker* own_worker;

  void run(worker& w);
  void* find(worker& w);
  // What comes from outside the workers, or goes to all of them.
  struct queue {
    std::deque<void*> frames;
    std::atomic<std::size_t> size{0};  // readable without the lock
  };
  void* take(queue& q) noexcept;
  void* next_answer() noexcept;
  void* steal(worker& w);
  void sleep(worker& w);
  bool anything_ready() const noexcept;
  void inject(queue& q, void* frame) noexcept;
  void wake_one() noexcept;
  void count_idle() noexcept;
  bool all_roots_over() const noexcept;
  void notify_drain() noexcept;

  std::vector<std::unique_ptr<worker>> workers_;
  root_counters outside_;  // roots started by threads that are no workers; `started` is added to by many

  std::mutex queue_mutex_;
  queue injected_, urgent_;

  std::mutex idle_mutex_;
  std::vector<worker*> idle_;
  std::atomic<std::uint32_t> idle_count_{0};  // its size, readable without the lock; each worker has a copy
  std::atomic<bool> stopping_{false};

  std::mutex drain_mutex_;
  std::condition_variable drained_;
  std::atomic<bool> draining_{false};

  host_server host_;
};

}  // namespace hel::exec

// The threads behind hel::host: they take calls from the doorbell and run them, where they may block.
#pragma once

#include <chrono>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "hel/exec/executor.hpp"
#include "hel/exec/host_calls.hpp"

namespace hel::exec {

class host_server {
 public:
  // `home` is told of answers (executor::published()); it outlives the server.
  host_server(std::shared_ptr<host_calls> calls, executor& home, unsigned threads);
  // After the last task is over. A function that still runs was abandoned by its caller: it is waited for as long as
  // `patience`, then its thread is left to itself and ends when the function does.
  ~host_server();

  static constexpr std::chrono::milliseconds patience{200};

  // A call was submitted.
  void notify() noexcept {
    // The call must be in the ring before the sleepers are counted: pairs with the heavy fence in serve().
    light_fence();
    if (state_->sleeping.load_relaxed() != 0) wake(*state_);
  }

 private:
  // Of a thread, where a call that may be abandoned is concerned: leaving makes no more of them, orphaned does not come
  // back to its server from the one that it is in.
  enum phase : std::uint32_t { idle, serving, leaving, orphaned };
  struct server_thread {
    core::atomic<std::uint32_t> now;  // a phase
    std::thread thread;
  };
  // What a thread may still need when the server has gone.
  struct state {
    explicit state(std::shared_ptr<host_calls> c) : calls(std::move(c)) {}
    std::shared_ptr<host_calls> calls;
    alignas(64) core::atomic<std::uint32_t> sleeping;  // threads that nobody has woken yet
    std::counting_semaphore<> wake{0};                 // one for each thread that was taken from `sleeping`
    core::atomic<std::uint32_t> stopping;
  };

  static void wake(state& s) noexcept;
  static void serve(std::shared_ptr<state> s, std::shared_ptr<server_thread> me, executor& home);
  static bool serve_one(state& s, server_thread& me, executor& home, std::uint32_t slot);
  static void end(server_thread& t, std::chrono::steady_clock::time_point deadline);

  std::shared_ptr<state> state_;
  std::vector<std::shared_ptr<server_thread>> threads_;
};

}  // namespace hel::exec

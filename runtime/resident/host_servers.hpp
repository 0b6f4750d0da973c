// The threads that run host functions for a device.
//
// A function that never returns keeps its thread: then stop() leaves the thread behind, which touches nothing of the
// runtime's any more but the slot of its call, whose memory must stay.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "hel/core/rpc.hpp"

namespace hel::exec {

class host_calls;

class host_servers {
 public:
  using clock = std::chrono::steady_clock;

  // Both outlive *this.
  host_servers(unsigned threads, core::rpc_server& calls, const host_calls& functions);
  ~host_servers() { stop(std::chrono::nanoseconds::max()); }
  host_servers(const host_servers&) = delete;

  // By any thread: the function of this slot is to be run.
  void run(std::uint32_t slot);

  struct load {
    std::size_t calls;       // that are not answered
    clock::duration oldest;  // for how long the one that has run longest has
  };
  load under_way() const;

  // Runs what is queued and ends the threads; waits for them at most so long. False: some are left behind, and what
  // they answer is dropped. Once.
  bool stop(std::chrono::nanoseconds patience);

 private:
  struct shared;
  static void serve(const std::shared_ptr<shared>& s, std::size_t own) noexcept;

  const std::shared_ptr<shared> shared_;
  std::vector<std::thread> threads_;
};

}  // namespace hel::exec

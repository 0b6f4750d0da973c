// The host's side of a runtime whose tasks run on a device: submits launches, hands their outcomes to who waits, serves
// the device's host calls. Talks to the device through mapped memory only, once the kernel runs.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "hel/cuda.hpp"
#include "hel/detail/device_launching.hpp"
#include "hel/exec/device_program.hpp"
#include "hel/exec/executor.hpp"
#include "host_servers.hpp"

namespace hel::exec {

class device_executor final : public executor, public device_launcher {
 public:
  // Errors: see hel/cuda.hpp. `entry`: the program's device part.
  device_executor(const cuda& settings, const device_program_entry& entry);
  ~device_executor() override;

  void submit(const abi::device_launch& launch, const resident::launch_message& result, device_request* r) override;

  // Host threads that wait, and nothing else, are scheduled here.
  void schedule(std::coroutine_handle<> h) noexcept override { h.resume(); }
  void schedule_last(std::coroutine_handle<> h) noexcept override { h.resume(); }
  void root_started() noexcept override { launched_.fetch_add_relaxed(1); }
  void root_finished() noexcept override { launched_.fetch_sub_acq_rel(1); }
  void calls_submitted() noexcept override {}

  void wait(host_event& event) override;
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override;
  void drain() override;
  void* allocate_shared(std::size_t bytes) override;  // throws: tasks could not reach the host's memory
  statistics stats() override;

  unsigned warps() const noexcept { return warps_; }

 private:
  using client = core::rpc_client<device_request>;
  using clock = std::chrono::steady_clock;

  // What is in the session's shared memory, which outlives the threads that use it.
  struct bridge;

  void poll() noexcept;          // the poller's thread
  bool take_answers() noexcept;  // whether there were any
  bool take_calls() noexcept;
  void look_after() noexcept;  // whether the kernel is well
  void fail(std::string what) noexcept;
  void check_device();  // hel::device_error, once it has failed
  void end_kernel() noexcept;
  void give_up_launches() noexcept;

  const cuda settings_;
  const void* const key_;
  int device_;
  unsigned warps_ = 0;
  std::unique_ptr<device_session> session_;
  std::unique_ptr<bridge> bridge_;
  core::atomic<std::uint64_t> launched_;  // and not over

  std::mutex mutex_;  // of the rest
  std::condition_variable changed_;
  bool stopping_ = false;
  std::optional<std::string> failed_;

  // The poller's own.
  clock::time_point looked_, went_on_;
  std::uint64_t resumed_ = 0;

  std::unique_ptr<host_servers> servers_;
  std::thread poller_;
};

}  // namespace hel::exec

// A simulated device: streams of operations, threads that run blocks, and what happens when a kernel fails.
//
// One mutex guards all of it. An operation starts when those before it in its stream have ended, and, by the rules of
// the default stream, those of other streams that it waits for. A kernel's blocks are given to the slots of the
// multiprocessors as these become free: a kernel that never ends keeps the others out, as on a device.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "block.hpp"

namespace hel_sim {

struct event {
  std::uint64_t recorded = 0, reached = 0;  // numbers of records
  std::uint64_t time = 0;                   // ns, of the last record that was reached
};

struct launch {
  const hel_sim::kernel* kernel = nullptr;
  const hel_sim::module* module = nullptr;
  extent grid, block;
  std::uint64_t dynamic_shared = 0;
  std::vector<std::unique_ptr<unsigned char[]>> storage;
  std::vector<void*> parameters;
  std::uint64_t begun = 0, ended = 0, running = 0;
  std::uint64_t resident = 0;  // blocks that the device holds at once
  int fault = 0;               // injected: the kernel fails with this
};

struct operation {
  std::uint64_t sequence = 0;
  std::function<bool()> ready;   // under the lock; none: always
  std::function<void()> action;  // without the lock; none for kernels
  std::shared_ptr<hel_sim::launch> launch;
  bool started = false;
  const char* what = "";
};

struct stream {
  bool non_blocking = false;
  bool is_default = false;
  bool leaving = false;                          // destroyed, with operations that still run
  std::deque<std::shared_ptr<operation>> queue;  // the first may have started
};

struct allocation {
  std::size_t bytes = 0;
  int kind = 0;  // cudaMemoryType
  int device = 0;
  unsigned flags = 0;
  bool registered = false;  // memory of the program's
};

class device {
 public:
  device();

  stream& default_stream() { return *streams_.front(); }
  stream* create_stream(bool non_blocking);
  void destroy_stream(stream* s);  // its operations run on

  // Under the lock of simulator().
  void enqueue(stream& s, std::shared_ptr<operation> o);
  bool idle(const stream& s) const { return s.queue.empty(); }
  bool idle() const;
  bool running_kernels() const { return !active_.empty(); }
  bool kernels_pending() const;  // that run, or that would if their blocks had room
  void fail(int error);          // for good, as on a device: every later call reports it
  std::string describe() const;

  std::atomic<int> error{0};
  std::atomic<bool> stop{false};

 private:
  void engine();
  void worker(unsigned index);
  bool may_start(const stream& s, const operation& o) const;
  void finish(const std::shared_ptr<hel_sim::launch>& l);

  std::list<std::unique_ptr<stream>> streams_;
  std::list<std::shared_ptr<hel_sim::launch>> active_;
  bool threads_ = false;
};

struct shared_state {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::unique_ptr<device>> devices;
  std::map<std::uintptr_t, allocation> allocations;
  std::uint64_t sequence = 0;
  std::vector<std::string> waiting;  // API calls that wait, for the watchdog
  bool ending = false;

  // The allocation that holds p, or null.
  std::pair<const std::uintptr_t, allocation>* find(const void* p);
};

shared_state& simulator();

// Waits, under the lock, until `done` or until the device has failed; the watchdog knows as what.
void wait(std::unique_lock<std::mutex>& lock, device& d, std::string what, const std::function<bool()>& done);

std::uint64_t now_ns();

}  // namespace hel_sim

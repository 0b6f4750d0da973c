// Runs a small scenario of two or three threads in every interleaving of their atomic operations, within bounds.
//
// The threads are fibers; each operation on an atomic is a point where another thread may go on. An execution is a
// sequence of choices, and explore() walks through all of them, depth first, each time from the beginning. Bounds: how
// often a thread that could go on is interrupted (S. Burckhardt et al., "A randomized scheduler with probabilistic
// guarantees of finding bugs", ASPLOS 2010, on why few suffice), and how often a load gets an old value.
//
// Memory model: threads execute in program order. Every location has the history of its writes; a load may return any
// write that is not older than what the thread knows of: its own accesses, what it has acquired, what a heavy fence has
// told it. Release, acquire and release sequences pass knowledge on as the standard says; a read-modify-write, also a
// failing one, finds the newest write. So the following are covered: store buffering, stale and out-of-order visibility
// of relaxed and release writes, missing release or acquire. Not covered: loads that are satisfied after a later store
// of the same thread (load buffering), a write that enters the history before the newest one, spurious failures of
// compare_exchange_weak; sequentially consistent operations count as acquire and release. A heavy fence (membarrier)
// passes all knowledge to all threads at once; a light fence is none. Accesses to plain memory are no scheduling
// points: they happen with the operation before them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "tests/explorer/platform.hpp"

namespace explorer {

inline constexpr unsigned most_threads = 4;

class scenario {
 public:
  explicit scenario(unsigned threads) : threads_(threads) {}
  virtual ~scenario() = default;
  unsigned threads() const noexcept { return threads_; }

  virtual void run(unsigned thread) = 0;         // on a fiber; no loop without pause()
  virtual void check() = 0;                      // after all threads
  virtual void entering(unsigned /*thread*/) {}  // before it goes on, for what is thread-local

 private:
  unsigned threads_;
};

struct limits {
  unsigned preemptions = 3;
  unsigned stale_reads = 2;
  std::size_t executions = 4000000;  // more than that is an error: the scenario is to be smaller
};

// True: no execution failed. Prints how many there were, or the one that failed.
bool explore(const char* name, const std::function<std::unique_ptr<scenario>()>& make, const limits& l = {});
template <class Scenario>
bool explore(const char* name, const limits& l = {}) {
  return explore(
      name, [] { return std::unique_ptr<scenario>(std::make_unique<Scenario>()); }, l);
}

// In run() and check(): the execution fails, and ends here.
void require(bool holds, const char* what);

// Memory that is no atomic: accesses that are not ordered fail the execution.
class plain_access {
 protected:
  void reading() const;
  void writing();

 private:
  mutable unsigned read_at_[most_threads] = {};
  unsigned written_by_ = 0, written_at_ = 0;
};
template <class T>
class plain : plain_access {
 public:
  T read() const {
    reading();
    return value_;
  }
  void write(T v) {
    writing();
    value_ = v;
  }

 private:
  T value_{};
};

}  // namespace explorer

// Graphs of tasks that do nothing but count themselves, and wait for others.
#pragma once

#include <cstdint>
#include <ctime>
#include <vector>

#include "tools/bench/suite.hpp"

namespace hel_bench {

enum class shape : std::uint8_t {
  chain,      // each waits for the one before
  wide,       // none waits
  wavefront,  // a square; each waits for its neighbours above and to the left
};

// Nodes in an order in which they can run.
struct graph {
  explicit graph(shape s, std::uint32_t nodes);

  std::uint32_t size;
  std::vector<std::uint32_t> first;  // of node i: successors[first[i]] up to successors[first[i + 1]]
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> waits_for;  // how many each waits for
};

// Of node i, at most two; returns how many.
inline std::uint32_t predecessors(shape s, std::uint32_t side, std::uint32_t i, std::uint32_t (&all)[2]) {
  std::uint32_t n = 0;
  if (s == shape::chain && i > 0) all[n++] = i - 1;
  if (s == shape::wavefront && i >= side) all[n++] = i - side;
  if (s == shape::wavefront && i % side > 0) all[n++] = i - 1;
  return n;
}
std::uint32_t side_of(std::uint32_t nodes);               // of the square
std::uint32_t whole_nodes(shape s, std::uint32_t about);  // a square has a square number of nodes

// Adds to self_timed_seconds the time until it is stopped: CPU time of the process with one worker, as then no other
// thread works, else wall time.
class stopwatch {
 public:
  explicit stopwatch(unsigned threads)
      : clock_(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC), start_(now()) {}
  void stop() { self_timed_seconds += now() - start_; }

 private:
  double now() const {
    timespec t{};
    clock_gettime(clock_, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
  clockid_t clock_;
  double start_;
};

namespace hel_side {
runner graph_of_tasks(const settings& s, shape of, std::uint32_t nodes);
}
runner tbb_flow_graph(const settings& s, shape of, std::uint32_t nodes);
runner tbb_counters(const settings& s, shape of, std::uint32_t nodes);  // a counter a node, tasks for the ready ones

}  // namespace hel_bench

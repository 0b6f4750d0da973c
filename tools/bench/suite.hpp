// What hel-bench can measure: benchmarks, and the contenders that each compares.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hel_bench {

struct settings {
  unsigned threads = 1;   // workers of every runtime that is compared
  bool quick = false;     // small problems and few repetitions: shows that everything works, not how fast it is
  bool counting = false;  // instructions, by valgrind: a hundred times slower
};

// Does the work `rounds` times and returns a checksum of the results.
using runner = std::function<std::uint64_t(std::uint64_t rounds)>;

// One way to do the work.
struct contender {
  std::string name;
  // Sets up what the work needs (workers, memory), outside of the time that is measured; it goes with the runner.
  std::function<runner(const settings&)> prepare;
  // Instead of `prepare`, for what is not a time: returns the figure in the benchmark's unit. Called once in a process
  // of its own.
  std::function<double(const settings&)> figure;
  std::string missing;  // why there is neither: what this build lacks
};

// CPU time of the process, where it says the same as wall time on a machine of one's own: what else runs on this
// machine matters less to it.
enum class timing : std::uint8_t {
  wall,
  cpu,             // the thread that calls does the work
  cpu_if_one,      // with one worker, no other thread works while the worker does
  by_the_runners,  // they add to self_timed_seconds what is to count; the rest of a round is preparation
};

struct benchmark {
  std::string name;
  std::string group;   // names several benchmarks at once
  std::string what;    // one line
  std::string unit;    // "ns per call"
  double unit_ns = 1;  // nanoseconds in the unit, where it is a time
  std::string ours;    // the contender that the ratios are of: ratio_<peer> = ours / peer
  // In a round: calls, items. Asked for when the benchmark runs, as counting may take a while.
  std::function<double()> operations = [] { return 1.0; };
  std::uint64_t rounds = 1;                                     // in one go between two looks at the clock
  std::function<std::uint64_t(std::uint64_t rounds)> checksum;  // what every contender must return; none: any value
  timing timed = timing::wall;
  bool countable = false;  // with one thread, (nearly) the same instructions each time
  std::vector<contender> contenders;
};

extern double self_timed_seconds;

// All of them, with problem sizes as `s` says, in the order in which they are listed.
std::vector<benchmark> all_benchmarks(const settings& s);

// The groups, each in a file of its own.
void add_coroutines(std::vector<benchmark>& all, const settings& s);
void add_fork_join(std::vector<benchmark>& all, const settings& s);
void add_spawning(std::vector<benchmark>& all, const settings& s);
void add_channels(std::vector<benchmark>& all, const settings& s);
void add_graphs(std::vector<benchmark>& all, const settings& s);
void add_upkeep(std::vector<benchmark>& all, const settings& s);
void add_tool(std::vector<benchmark>& all, const settings& s);

}  // namespace hel_bench

#include "tools/bench/runtime/upkeep.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <chrono>
#include <ctime>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/peers.hpp"

namespace hel_bench {

double resident_bytes() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double most_resident_bytes() {
  std::ifstream in("/proc/self/status");
  std::string word;
  double kib = 0;
  while (in >> word)
    if (word == "VmHWM:" && in >> kib) return kib * 1024;
  return 0;
}

double processor_use_while_idle(bool quick) {
  const auto seconds = [](clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  };
  std::this_thread::sleep_for(std::chrono::milliseconds(quick ? 10 : 200));  // whoever spins at first, may
  const double wall = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
  std::this_thread::sleep_for(std::chrono::milliseconds(quick ? 50 : 1000));
  return 100 * (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / (seconds(CLOCK_MONOTONIC) - wall);
}

namespace {

double bytes_of_fibers(const settings& s) {
  using boost::context::fiber;
  const std::size_t n = s.quick ? 1000 : 10000;
  boost::context::fixedsize_stack stacks(16384);
  std::vector<fiber> all;
  all.reserve(n);
  const double before = resident_bytes();
  for (std::size_t i = 0; i < n; ++i) {
    fiber f{std::allocator_arg, stacks, [](fiber&& caller) { return std::move(caller).resume(); }};
    all.push_back(std::move(f).resume());
  }
  return (resident_bytes() - before) / static_cast<double>(n);
}

runner start_threads(const settings& s) {
  return [threads = s.threads](std::uint64_t rounds) {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      std::vector<std::thread> all;
      for (unsigned t = 0; t < threads; ++t) all.emplace_back([] {});
      for (std::thread& t : all) t.join();
    }
    return rounds;
  };
}

benchmark make(const char* name, const char* what, const char* unit) {
  benchmark b;
  b.name = name;
  b.group = "runtime";
  b.what = what;
  b.unit = unit;
  b.ours = "hel";
  return b;
}

}  // namespace

void add_upkeep(std::vector<benchmark>& all, const settings&) {
  benchmark start = make("startup", "start a runtime, run an empty task, stop the runtime", "us per runtime");
  start.unit_ns = 1000;
  start.contenders = {{"hel", hel_side::start_and_stop, {}, ""}, {"threads", start_threads, {}, ""}};
  all.push_back(std::move(start));

  benchmark suspended = make("suspended", "resident memory of a small task that waits", "bytes per task");
  suspended.contenders = {{"hel", {}, hel_side::suspended, ""}, {"fiber", {}, bytes_of_fibers, ""}};
  all.push_back(std::move(suspended));

  benchmark idle = make("idle", "CPU time of a runtime with nothing to do", "% of a processor");
  idle.contenders = {{"hel", {}, hel_side::idle, ""},
                     {"tbb", HEL_BENCH_TBB_FIGURE(tbb_idle)},
                     {"openmp", HEL_BENCH_OPENMP_FIGURE(openmp_idle)}};
  all.push_back(std::move(idle));
}

}  // namespace hel_bench

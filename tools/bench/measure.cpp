#include "tools/bench/measure.hpp"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <exception>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tools/bench/process.hpp"

namespace hel_bench {

double result::median() const {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  if (n == 0) return 0;
  return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

double self_timed_seconds = 0;

namespace {

struct entry {
  const benchmark* of;
  const contender* by;
  const settings* how;
  double operations;
  bool cpu_time;
  result* into;
  std::optional<std::uint64_t>* expected;  // the checksum of the benchmark, once it is known
};

// A process of its own has no memory and no threads of other contenders.
double figure_of_fresh_process(const benchmark& b, const contender& c, const settings& s) {
  const scratch_directory scratch;
  std::vector<std::string> command{own_path(), "--figure", c.name, "--threads", std::to_string(s.threads), b.name};
  if (s.quick) command.push_back("--quick");
  run_process(command, scratch.file("figure"));
  std::ifstream in(scratch.file("figure"));
  double figure = 0;
  if (!(in >> figure)) throw std::runtime_error("no figure");
  return figure;
}

void run(const entry& e, ::benchmark::State& state) {
  try {
    if (e.by->figure) {
      for (auto _ : state) state.counters["figure"] = figure_of_fresh_process(*e.of, *e.by, *e.how);
      return;
    }
    const runner work = e.by->prepare(*e.how);
    const std::uint64_t rounds = e.of->rounds;
    const auto check = [&](std::uint64_t got) {
      if (!e.of->checksum) return;
      std::optional<std::uint64_t>& expected = *e.expected;
      if (!expected) expected = e.of->checksum(rounds);
      if (got != *expected)
        throw std::runtime_error("wrong result: " + std::to_string(got) + " instead of " + std::to_string(*expected));
    };
    check(work(rounds));  // wakes the workers, fills the pools
    // Threads of the contender before may still be spinning.
    if (e.of->timed != timing::cpu && !e.how->quick) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (e.of->timed == timing::by_the_runners) {
      for (auto _ : state) {
        self_timed_seconds = 0;
        check(work(rounds));
        state.SetIterationTime(self_timed_seconds / static_cast<double>(rounds));
      }
      return;
    }
    while (state.KeepRunningBatch(static_cast<::benchmark::IterationCount>(rounds))) check(work(rounds));
  } catch (const std::exception& x) {
    e.into->error = x.what();
    state.SkipWithError(x.what());
  }
}

// Keeps the repetitions; prints nothing.
class collector : public ::benchmark::BenchmarkReporter {
 public:
  explicit collector(const std::map<std::string, entry>& entries) : entries_(entries) {}

  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type != Run::RT_Iteration) continue;
      const auto found = entries_.find(r.run_name.function_name);
      if (found == entries_.end() || !found->second.into->error.empty()) continue;
      const entry& e = found->second;
      if (const auto figure = r.counters.find("figure"); figure != r.counters.end())
        e.into->samples.push_back(figure->second.value);
      else
        e.into->samples.push_back((e.cpu_time ? r.cpu_accumulated_time : r.real_accumulated_time) * 1e9 /
                                  e.of->unit_ns / (static_cast<double>(r.iterations) * e.operations));
    }
  }

 private:
  const std::map<std::string, entry>& entries_;
};

}  // namespace

results measure(const std::vector<benchmark>& chosen, const settings& s, const std::vector<std::string>& flags) {
  results all;
  std::map<std::string, entry> entries;
  std::map<std::string, std::optional<std::uint64_t>> expected;
  for (const benchmark& b : chosen) {
    const double operations = b.operations();
    const bool cpu_time = b.timed == timing::cpu || (b.timed == timing::cpu_if_one && s.threads == 1);
    for (const contender& c : b.contenders) {
      if (!c.missing.empty()) continue;
      const std::string name = b.name + '/' + c.name;
      const entry e{&b, &c, &s, operations, cpu_time, &all[b.name][c.name], &expected[b.name]};
      entries.emplace(name, e);
      auto* registered =
          ::benchmark::RegisterBenchmark(name.c_str(), [e](::benchmark::State& state) { run(e, state); });
      if (b.timed == timing::by_the_runners)
        registered->UseManualTime()->Iterations(1);  // preparing takes longer than what is timed
      else if (cpu_time)
        registered->MeasureProcessCPUTime();
      else
        registered->UseRealTime();
      if (c.figure) registered->Iterations(1)->Repetitions(3);
    }
  }

  std::vector<std::string> arguments{"hel-bench", "--benchmark_enable_random_interleaving=true"};
  arguments.push_back(s.quick ? "--benchmark_min_time=0.001" : "--benchmark_min_time=0.05");
  arguments.push_back(s.quick ? "--benchmark_repetitions=3" : "--benchmark_repetitions=9");
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  int argc = static_cast<int>(argv.size());
  ::benchmark::Initialize(&argc, argv.data());
  if (argc > 1) throw std::invalid_argument(std::string("Google Benchmark does not know ") + argv[1]);

  collector reporter(entries);
  ::benchmark::RunSpecifiedBenchmarks(&reporter);
  ::benchmark::ClearRegisteredBenchmarks();
  return all;
}

}  // namespace hel_bench

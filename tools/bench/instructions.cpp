#include "tools/bench/instructions.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "tools/bench/process.hpp"

// Callgrind writes a file of what was counted before this function is called, and another when it returns. Its name is
// given on the command line below, so it is neither inlined nor mangled.
extern "C" [[gnu::noinline]] std::uint64_t hel_bench_counted(const hel_bench::runner& work, std::uint64_t rounds) {
  const std::uint64_t checksum = work(rounds);
  asm volatile("" : : : "memory");  // and not left by a jump
  return checksum;
}

namespace hel_bench {
namespace {

template <class F>
void for_each_counted(const std::vector<benchmark>& chosen, F f) {
  for (const benchmark& b : chosen) {
    if (!b.countable) continue;
    for (const contender& c : b.contenders)
      if (c.missing.empty()) f(b, c);
  }
}

// The number of instructions in a file of callgrind's: its line "totals: N".
double total_in(const std::string& file) {
  std::ifstream in(file);
  std::string word;
  double total = 0;
  while (in >> word)
    if (word == "totals:" && in >> total) return total;
  throw std::runtime_error("callgrind wrote no total into " + file);
}

}  // namespace

void run_counted(const std::vector<benchmark>& chosen, const settings& s) {
  for_each_counted(chosen, [&](const benchmark& b, const contender& c) {
    const runner work = c.prepare(s);
    work(b.rounds);
    const std::uint64_t checksum = hel_bench_counted(work, b.rounds);
    if (b.checksum && checksum != b.checksum(b.rounds))
      throw std::runtime_error(b.name + '/' + c.name + ": wrong result");
  });
}

settings counting_settings() {
  settings s;
  s.counting = true;
  return s;
}

void count_instructions(const std::vector<benchmark>& chosen, results& into) {
  const scratch_directory scratch;
  const std::string out = scratch.file("callgrind.out");
  std::vector<std::string> command{"valgrind",
                                   "--tool=callgrind",
                                   "--dump-before=hel_bench_counted",
                                   "--dump-after=hel_bench_counted",
                                   "--callgrind-out-file=" + out,
                                   own_path(),
                                   "--run-counted"};
  const settings s = counting_settings();
  std::vector<benchmark> counted;
  for (benchmark& b : all_benchmarks(s)) {
    const auto is_it = [&](const benchmark& c) { return c.name == b.name; };
    if (!b.countable || std::none_of(chosen.begin(), chosen.end(), is_it)) continue;
    command.push_back(b.name);
    counted.push_back(std::move(b));
  }
  if (counted.empty()) return;
  try {
    run_process(command, scratch.file("log"), errors::same_file);
  } catch (const std::runtime_error& e) {
    std::ifstream log(scratch.file("log"));
    throw std::runtime_error(e.what() + std::string("; counting instructions needs valgrind\n") +
                             std::string(std::istreambuf_iterator<char>(log), {}));
  }
  int dump = 0;
  for_each_counted(counted, [&](const benchmark& b, const contender& c) {
    dump += 2;  // the first of the two is what came before
    const double total = total_in(out + '.' + std::to_string(dump));
    into[b.name][c.name].instructions = total / (b.operations() * static_cast<double>(b.rounds));
  });
}

}  // namespace hel_bench

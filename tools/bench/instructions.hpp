// Instructions per operation, counted by callgrind: the same on every run, however busy the machine is.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/result.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {

// Fills in result::instructions for those of the benchmarks that have one thread, by running this program under
// callgrind. Throws std::runtime_error when there is no valgrind, or it fails.
void count_instructions(const std::vector<benchmark>& chosen, const settings& s, results& into);

// What the program does there: each contender in turn, once to warm up and once counted.
void run_counted(const std::vector<benchmark>& chosen, const settings& s);

}  // namespace hel_bench

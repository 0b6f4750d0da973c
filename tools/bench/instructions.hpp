// Instructions per operation, counted by callgrind: the same on every run, however busy the machine is.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/result.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {

// Fills in result::instructions for those of the benchmarks where they are repeatable, by running this program under
// callgrind with one worker in each runtime. All threads count. Throws std::runtime_error when there is no valgrind, or
// it fails.
void count_instructions(const std::vector<benchmark>& chosen, results& into);

// What the program does there: each contender in turn, once to warm up and once counted.
// Takes the settings that counting_settings() returns, which make the problems small.
void run_counted(const std::vector<benchmark>& chosen, const settings& s);
settings counting_settings();

}  // namespace hel_bench

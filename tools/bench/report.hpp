// The results as a table for people and as JSON for programs (docs/benchmarks.md says what is in it).
#pragma once

#include <iosfwd>
#include <vector>

#include "tools/bench/result.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {

void print_list(std::ostream& out, const std::vector<benchmark>& all);
void print_table(std::ostream& out, const std::vector<benchmark>& chosen, const results& r, const settings& s);
void print_json(std::ostream& out, const std::vector<benchmark>& chosen, const results& r, const settings& s);

}  // namespace hel_bench

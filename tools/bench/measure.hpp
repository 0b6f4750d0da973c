// Times benchmarks with Google Benchmark: the repetitions of all contenders are shuffled, so that a slow spell of the
// machine meets all of them alike.
#pragma once

#include <string>
#include <vector>

#include "tools/bench/result.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {

// `flags`: Google Benchmark's own, which win over ours. Throws std::invalid_argument for one that it does not know.
results measure(const std::vector<benchmark>& chosen, const settings& s, const std::vector<std::string>& flags);

}  // namespace hel_bench

#include "tools/bench/suite.hpp"

namespace hel_bench {

std::vector<benchmark> all_benchmarks(const settings& s) {
  std::vector<benchmark> all;
  add_coroutines(all, s);
  add_fork_join(all, s);
  add_spawning(all, s);
  add_channels(all, s);
  add_graphs(all, s);
  add_upkeep(all, s);
  add_tool(all, s);
  return all;
}

}  // namespace hel_bench

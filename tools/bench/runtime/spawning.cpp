// Many tasks that nobody waits for one by one.
#include <string>
#include <utility>

#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/peers.hpp"

namespace hel_bench {

void add_spawning(std::vector<benchmark>& all, const settings& s) {
  benchmark b;
  b.name = "spawn";
  b.group = "runtime";
  b.rounds = s.quick ? 10000 : 1000000;
  b.what = std::to_string(b.rounds) + " independent tasks spawned by one and run";
  b.unit = "ns per task";
  b.ours = "hel";
  b.checksum = [](std::uint64_t rounds) { return rounds; };
  b.contenders = {
      {"hel", hel_side::spawn, {}, ""}, {"tbb", HEL_BENCH_TBB(tbb_spawn)}, {"openmp", HEL_BENCH_OPENMP(openmp_spawn)}};
  all.push_back(std::move(b));
}

}  // namespace hel_bench

// Many tasks that nobody waits for one by one.
#include <string>
#include <utility>

#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/peers.hpp"

namespace hel_bench {

namespace {

benchmark make(const char* name, const char* what, const settings& s) {
  benchmark b;
  b.name = name;
  b.group = "runtime";
  b.rounds = s.quick || s.counting ? 10000 : 1000000;
  b.what = std::to_string(b.rounds) + what;
  b.unit = "ns per task";
  b.ours = "hel";
  b.timed = timing::cpu_if_one;
  b.countable = true;
  b.checksum = [](std::uint64_t rounds) { return rounds; };
  return b;
}

}  // namespace

void add_spawning(std::vector<benchmark>& all, const settings& s) {
  benchmark one_by_one = make("spawn", " independent tasks spawned by one and run", s);
  one_by_one.contenders = {
      {"hel", hel_side::spawn, {}, ""}, {"tbb", HEL_BENCH_TBB(tbb_spawn)}, {"openmp", HEL_BENCH_OPENMP(openmp_spawn)}};
  all.push_back(std::move(one_by_one));

  benchmark batch = make("spawn-batch", " independent tasks spawned at once and run", s);
  batch.contenders = {{"hel", hel_side::spawn_batch, {}, ""},
                      {"tbb", HEL_BENCH_TBB(tbb_for)},
                      {"openmp", HEL_BENCH_OPENMP(openmp_for)}};
  all.push_back(std::move(batch));
}

}  // namespace hel_bench

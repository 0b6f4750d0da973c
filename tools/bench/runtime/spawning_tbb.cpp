#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/tally.hpp"
#include "tools/bench/runtime/tbb_workers.hpp"

namespace hel_bench {

runner tbb_spawn(const settings& s) {
  auto w = std::make_shared<tbb_workers>(s.threads);
  return [w](std::uint64_t rounds) {
    reset_tally();
    w->arena.execute([rounds] {
      tbb::task_group group;
      for (std::uint64_t i = 0; i < rounds; ++i) group.run([] { tally(); });
      group.wait();
    });
    return tallied();
  };
}

runner tbb_for(const settings& s) {
  return [w = std::make_shared<tbb_workers>(s.threads)](std::uint64_t rounds) {
    reset_tally();
    w->arena.execute([rounds] {
      using range = tbb::blocked_range<std::uint64_t>;
      tbb::parallel_for(
          range(0, rounds, 1),
          [](const range& r) {
            for (std::uint64_t i = r.begin(); i < r.end(); ++i) tally();
          },
          tbb::simple_partitioner());
    });
    return tallied();
  };
}

}  // namespace hel_bench

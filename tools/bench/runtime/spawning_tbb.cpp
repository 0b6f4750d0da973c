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

}  // namespace hel_bench

#include <tbb/task_group.h>

#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/tbb_workers.hpp"
#include "tools/bench/runtime/upkeep.hpp"

namespace hel_bench {

double tbb_idle(const settings& s) {
  tbb_workers w(s.threads);
  w.arena.execute([] {
    tbb::task_group group;
    for (int i = 0; i < 1000; ++i) group.run([] {});
    group.wait();
  });
  return processor_use_while_idle(s.quick);
}

}  // namespace hel_bench

#include <memory>

#include "hel/event.hpp"
#include "hel/runtime.hpp"
#include "hel/spawn_after.hpp"
#include "hel/task.hpp"
#include "hel/yield.hpp"
#include "tools/bench/runtime/graphs.hpp"
#include "tools/bench/runtime/tally.hpp"

namespace hel_bench::hel_side {
namespace {

HEL_HOST_TASK hel::task<void> node() {
  tally();
  co_return;
}

HEL_HOST_TASK hel::task<std::uint64_t> run_graph(unsigned threads, shape of, std::uint32_t nodes) {
  hel::event go;
  std::vector<hel::join_handle<void>> all(nodes);
  const std::uint32_t side = side_of(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::uint32_t before[2];
    switch (predecessors(of, side, i, before)) {
    case 0: all[i] = hel::spawn_after(go, node); break;
    case 1: all[i] = hel::spawn_after(all[before[0]], node); break;
    default: all[i] = hel::spawn_after({all[before[0]], all[before[1]]}, node); break;
    }
  }
  reset_tally();
  stopwatch watch(threads);
  go.set();
  co_await all[nodes - 1];
  while (tallied() < nodes) co_await hel::yield();
  watch.stop();
  co_return tallied();
}

}  // namespace

runner graph_of_tasks(const settings& s, shape of, std::uint32_t nodes) {
  auto rt = std::make_shared<hel::runtime>(hel::cpu{.threads = s.threads, .executor = hel::executor::threads});
  return [rt, of, nodes](std::uint64_t rounds) {
    std::uint64_t ran = 0;
    for (std::uint64_t i = 0; i < rounds; ++i) ran += rt->launch(run_graph, rt->threads(), of, nodes).get();
    return ran;
  };
}

}  // namespace hel_bench::hel_side

#include <memory>

#include "hel/runtime.hpp"
#include "hel/spawn.hpp"
#include "hel/task.hpp"
#include "hel/yield.hpp"
#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/tally.hpp"

namespace hel_bench::hel_side {
namespace {

HEL_HOST_TASK hel::task<void> count_one() {
  tally();
  co_return;
}

HEL_HOST_TASK hel::task<std::uint64_t> spawn_many(std::uint64_t n) {
  reset_tally();
  for (std::uint64_t i = 0; i < n; ++i) hel::spawn(count_one).detach();
  while (tallied() < n) co_await hel::yield();
  co_return tallied();
}

}  // namespace

runner spawn(const settings& s) {
  auto rt = std::make_shared<hel::runtime>(hel::cpu{.threads = s.threads, .executor = hel::executor::threads});
  return [rt](std::uint64_t rounds) { return rt->launch(spawn_many, rounds).get(); };
}

}  // namespace hel_bench::hel_side

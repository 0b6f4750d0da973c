#include <memory>

#include "hel/batch.hpp"
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

HEL_HOST_TASK hel::task<void> count_one_of(std::size_t) {
  tally();
  co_return;
}

HEL_HOST_TASK hel::task<std::uint64_t> spawn_batch_of(std::uint64_t n) {
  reset_tally();
  co_await hel::spawn_batch(n, count_one_of);
  co_return tallied();
}

std::shared_ptr<hel::runtime> start(unsigned threads) {
  return std::make_shared<hel::runtime>(hel::cpu{.threads = threads, .executor = hel::executor::threads});
}

}  // namespace

runner spawn_batch(const settings& s) {
  return [rt = start(s.threads)](std::uint64_t rounds) { return rt->launch(spawn_batch_of, rounds).get(); };
}

runner spawn(const settings& s) {
  return [rt = start(s.threads)](std::uint64_t rounds) { return rt->launch(spawn_many, rounds).get(); };
}

}  // namespace hel_bench::hel_side

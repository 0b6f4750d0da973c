#include "hel/channel.hpp"
#include "hel/runtime.hpp"
#include "hel/spawn.hpp"
#include "hel/task.hpp"
#include "hel/yield.hpp"
#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/upkeep.hpp"

namespace hel_bench::hel_side {
namespace {

HEL_HOST_TASK hel::task<void> nothing() { co_return; }

HEL_HOST_TASK hel::task<std::uint64_t> wait_at(hel::channel<int>& gate, std::uint64_t& arrived) {
  ++arrived;  // on one worker
  const auto opened = co_await gate.receive();
  co_return opened ? 1 : 0;
}

HEL_HOST_TASK hel::task<double> bytes_of_suspended(std::uint64_t n) {
  hel::channel<int> gate(0);
  std::uint64_t arrived = 0;
  const double before = resident_bytes();
  for (std::uint64_t i = 0; i < n; ++i) {
    hel::spawn(wait_at, gate, arrived).detach();
    if (i % 1024 == 0) co_await hel::yield();
  }
  while (arrived < n) co_await hel::yield();
  const double after = resident_bytes();
  gate.close();
  co_return (after - before) / static_cast<double>(n);
}

}  // namespace

runner start_and_stop(const settings& s) {
  return [threads = s.threads](std::uint64_t rounds) {
    for (std::uint64_t i = 0; i < rounds; ++i) {
      hel::runtime rt{hel::cpu{.threads = threads, .executor = hel::executor::threads}};
      rt.launch(nothing).get();
    }
    return rounds;
  };
}

double suspended(const settings& s) {
  hel::runtime rt{hel::cpu{.threads = 1, .executor = hel::executor::threads}};
  return rt.launch(bytes_of_suspended, std::uint64_t{s.quick ? 100000u : 10000000u}).get();
}

double idle(const settings& s) {
  hel::runtime rt{hel::cpu{.threads = s.threads, .executor = hel::executor::threads}};
  rt.launch(nothing).get();
  return processor_use_while_idle(s.quick);
}

}  // namespace hel_bench::hel_side

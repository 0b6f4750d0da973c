// Runs the coroutines of bodies.cpp. Compiled for each variant by its compiler; holds no coroutine itself.
#include "tools/bench/coroutine/bodies.hpp"
#include "tools/bench/coroutine/table.hpp"

namespace hel_bench::HEL_BENCH_VARIANT {
namespace {

std::uint64_t resume(std::uint64_t rounds) {
  const generator g = count_up(rounds);
  std::uint64_t sum = 0;
  for (;;) {
    g.handle.resume();
    if (g.handle.done()) break;
    sum += g.handle.promise().value;
  }
  g.handle.destroy();
  return sum;
}

template <class Make>
std::uint64_t run_each(std::uint64_t rounds, Make make) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const auto t = make(i);
    t.handle.resume();
    sum += t.handle.promise().value;
  }
  return sum;
}

std::uint64_t run_heap_leaves(std::uint64_t rounds) {
  return run_each(rounds, [](std::uint64_t i) { return heap_leaf(i); });
}
std::uint64_t run_leaves(std::uint64_t rounds) {
  return run_each(rounds, [](std::uint64_t i) { return leaf(i); });
}
std::uint64_t run_nested(std::uint64_t rounds, std::uint64_t depth) {
  return run_each(rounds, [depth](std::uint64_t) { return nested(depth); });
}
std::uint64_t run_fib(std::uint64_t rounds) {
  return run_each(rounds, [](std::uint64_t) { return fib(20); });
}
std::uint64_t run_fib_of_tasks(std::uint64_t rounds) {
  return run_each(rounds, [](std::uint64_t) { return run_task_fib(20); });
}

}  // namespace

const coroutine_table table{resume, run_heap_leaves, run_leaves, run_nested, run_fib, run_fib_of_tasks};

}  // namespace hel_bench::HEL_BENCH_VARIANT

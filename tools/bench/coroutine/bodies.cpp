#include "tools/bench/coroutine/bodies.hpp"

namespace hel_bench::HEL_BENCH_VARIANT {

generator count_up(std::uint64_t end) {
  for (std::uint64_t i = 0; i < end; ++i) co_yield i;
}

lazy<heap_frames> heap_leaf(std::uint64_t v) { co_return v; }

lazy<stacked_frames> leaf(std::uint64_t v) { co_return v; }

lazy<stacked_frames> nested(std::uint64_t depth) {
  if (depth == 0) co_return 1;
  co_return 1 + co_await nested(depth - 1);
}

lazy<stacked_frames> fib(std::uint64_t n) {
  if (n < 2) co_return n;
  const std::uint64_t a = co_await fib(n - 1);
  co_return a + co_await fib(n - 2);
}

hel::task<number> task_fib(std::uint64_t n) {
  if (n < 2) co_return number{n};
  const number a = co_await task_fib(n - 1);
  const number b = co_await task_fib(n - 2);
  co_return number{std::uint64_t(a) + std::uint64_t(b)};
}

lazy<stacked_frames> run_task_fib(std::uint64_t n) {
  const number result = co_await task_fib(n);
  co_return std::uint64_t(result);
}

}  // namespace hel_bench::HEL_BENCH_VARIANT

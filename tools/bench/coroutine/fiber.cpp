// The same work with Boost.Context fibers: coroutines with a stack each, from a pool.
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "tools/bench/coroutine/table.hpp"

namespace hel_bench::fiber {
namespace {

using boost::context::pooled_fixedsize_stack;
using strand = boost::context::fiber;
constexpr std::size_t stack_bytes = 16384;

// The stacks of all calls, kept from one to the next.
pooled_fixedsize_stack& stacks() {
  static pooled_fixedsize_stack pool(stack_bytes);
  return pool;
}

// Runs f() on a fiber of its own to the end.
template <class F>
std::uint64_t call(F f) {
  std::uint64_t result = 0;
  strand s{std::allocator_arg, stacks(), [&](strand&& caller) {
             result = f();
             return std::move(caller);
           }};
  std::move(s).resume();
  return result;
}

std::uint64_t resume(std::uint64_t rounds) {
  std::uint64_t value = 0, sum = 0;
  strand s{std::allocator_arg, stacks(), [&](strand&& caller) {
             for (std::uint64_t i = 0; i < rounds; ++i) {
               value = i;
               caller = std::move(caller).resume();
             }
             return std::move(caller);
           }};
  for (;;) {
    s = std::move(s).resume();
    if (!s) break;
    sum += value;
  }
  return sum;
}

std::uint64_t create(std::uint64_t rounds) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) sum += call([i] { return i; });
  return sum;
}

std::uint64_t nested_call(std::uint64_t depth) {
  return call([depth] { return depth == 0 ? 1 : 1 + nested_call(depth - 1); });
}

std::uint64_t nested(std::uint64_t rounds, std::uint64_t depth) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) sum += nested_call(depth);
  return sum;
}

std::uint64_t fib_call(std::uint64_t n) {
  return call([n] { return n < 2 ? n : fib_call(n - 1) + fib_call(n - 2); });
}

std::uint64_t fib(std::uint64_t rounds) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) sum += fib_call(20);
  return sum;
}

}  // namespace

const coroutine_table table{resume, nullptr, create, nested, fib, nullptr};

}  // namespace hel_bench::fiber

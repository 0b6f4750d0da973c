// Without any runtime: plain calls. And the parts that all versions share.
#include "tools/bench/runtime/fork_join.hpp"

namespace hel_bench {

[[gnu::noinline]] void sort_small(int* data, std::size_t n) { std::sort(data, data + n); }

[[gnu::noinline]] void merge_small(const int* a, std::size_t na, const int* b, std::size_t nb, int* out) {
  std::merge(a, a + na, b, b + nb, out);
}

namespace {

[[gnu::noinline]] std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a = fib(n - 1);
  std::uint64_t b = fib(n - 2);
  asm volatile("" : "+r"(a), "+r"(b));  // as many calls as written, no loop made of them
  return a + b;
}

[[gnu::noinline]] double integrate(const interval& i) {
  interval left, right;
  double sum;
  if (halve(i, left, right, sum)) return sum;
  sum = integrate(left);
  return sum + integrate(right);
}

[[gnu::noinline]] std::uint64_t nqueens(int n, int column, board b) {
  if (column == n) return 1;
  std::int8_t rows[most_queens];
  const int k = rows_in_peace(b, n, column, rows);
  std::uint64_t sum = 0;
  for (int i = 0; i < k; ++i) {
    b[column] = rows[i];
    sum += nqueens(n, column + 1, b);
  }
  return sum;
}

[[gnu::noinline]] std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 10; ++i) sum += skynet(first + i * (leaves / 10), leaves / 10);
  return sum;
}

void merge(const int* a, std::size_t na, const int* b, std::size_t nb, int* out) {
  if (na + nb <= small_sort) return merge_small(a, na, b, nb, out);
  const merge_split s = split(a, na, b, nb);
  merge(a, s.a, b, s.b, out);
  merge(a + s.a, na - s.a, b + s.b, nb - s.b, out + s.a + s.b);
}

void sort(int* data, int* space, std::size_t n) {
  if (n <= small_sort) return sort_small(data, n);
  const std::size_t q = n / 4;
  for (std::size_t i = 0; i < 3; ++i) sort(data + i * q, space + i * q, q);
  sort(data + 3 * q, space + 3 * q, n - 3 * q);
  merge(data, q, data + q, q, space);
  merge(data + 2 * q, q, data + 3 * q, n - 3 * q, space + 2 * q);
  merge(space, 2 * q, space + 2 * q, n - 2 * q, data);
}

}  // namespace

const fork_join_table serial_fork_join{
    [](unsigned) -> std::shared_ptr<void> { return nullptr; },
    [](void*, std::uint64_t n) { return fib(n); },
    [](void*, double to) { return integrate(whole(to)); },
    [](void*, int n) { return nqueens(n, 0, {}); },
    [](void*, std::uint64_t leaves) { return skynet(0, leaves); },
    [](void*, int* data, int* space, std::size_t n) { sort(data, space, n); },
};

}  // namespace hel_bench

// With oneTBB: a task_group for each fork; the last child is an ordinary call.
#include <tbb/task_group.h>

#include "tools/bench/runtime/fork_join.hpp"
#include "tools/bench/runtime/tbb_workers.hpp"

namespace hel_bench {
namespace {

std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a;
  tbb::task_group group;
  group.run([&] { a = fib(n - 1); });
  const std::uint64_t b = fib(n - 2);
  group.wait();
  return a + b;
}

double integrate(const interval& i) {
  interval left, right;
  double sum;
  if (halve(i, left, right, sum)) return sum;
  double a;
  tbb::task_group group;
  group.run([&] { a = integrate(left); });
  const double b = integrate(right);
  group.wait();
  return a + b;
}

std::uint64_t nqueens(int n, int column, board b) {
  if (column == n) return 1;
  std::int8_t rows[most_queens];
  const int k = rows_in_peace(b, n, column, rows);
  if (k == 0) return 0;
  std::uint64_t found[most_queens];
  tbb::task_group group;
  for (int i = 0; i + 1 < k; ++i) {
    b[column] = rows[i];
    group.run([&found, i, n, column, b] { found[i] = nqueens(n, column + 1, b); });
  }
  b[column] = rows[k - 1];
  found[k - 1] = nqueens(n, column + 1, b);
  group.wait();
  std::uint64_t sum = 0;
  for (int i = 0; i < k; ++i) sum += found[i];
  return sum;
}

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t each = leaves / 10;
  std::uint64_t part[10];
  tbb::task_group group;
  for (std::uint64_t i = 0; i < 9; ++i)
    group.run([&part, i, first, each] { part[i] = skynet(first + i * each, each); });
  part[9] = skynet(first + 9 * each, each);
  group.wait();
  std::uint64_t sum = 0;
  for (const std::uint64_t p : part) sum += p;
  return sum;
}

void merge(const int* a, std::size_t na, const int* b, std::size_t nb, int* out) {
  if (na + nb <= small_sort) return merge_small(a, na, b, nb, out);
  const merge_split s = split(a, na, b, nb);
  tbb::task_group group;
  group.run([=] { merge(a, s.a, b, s.b, out); });
  merge(a + s.a, na - s.a, b + s.b, nb - s.b, out + s.a + s.b);
  group.wait();
}

void sort(int* data, int* space, std::size_t n) {
  if (n <= small_sort) return sort_small(data, n);
  const std::size_t q = n / 4;
  tbb::task_group group;
  for (std::size_t i = 0; i < 3; ++i) group.run([=] { sort(data + i * q, space + i * q, q); });
  sort(data + 3 * q, space + 3 * q, n - 3 * q);
  group.wait();
  group.run([=] { merge(data, q, data + q, q, space); });
  merge(data + 2 * q, q, data + 3 * q, n - 3 * q, space + 2 * q);
  group.wait();
  merge(space, 2 * q, space + 2 * q, n - 2 * q, data);
}

template <class F>
auto in_arena(void* w, F f) {
  return static_cast<tbb_workers*>(w)->arena.execute(f);
}

}  // namespace

const fork_join_table tbb_fork_join{
    [](unsigned threads) -> std::shared_ptr<void> { return std::make_shared<tbb_workers>(threads); },
    [](void* w, std::uint64_t n) { return in_arena(w, [n] { return fib(n); }); },
    [](void* w, double to) { return in_arena(w, [to] { return integrate(whole(to)); }); },
    [](void* w, int n) { return in_arena(w, [n] { return nqueens(n, 0, {}); }); },
    [](void* w, std::uint64_t leaves) { return in_arena(w, [leaves] { return skynet(0, leaves); }); },
    [](void* w, int* data, int* space, std::size_t n) { in_arena(w, [=] { sort(data, space, n); }); },
};

}  // namespace hel_bench

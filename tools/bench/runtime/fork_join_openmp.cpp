// With OpenMP tasks: the last child is an ordinary call.
#include "tools/bench/runtime/fork_join.hpp"

namespace hel_bench {
namespace {

std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a;
#pragma omp task untied shared(a) firstprivate(n)
  a = fib(n - 1);
  const std::uint64_t b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

double integrate(const interval& i) {
  interval left, right;
  double sum;
  if (halve(i, left, right, sum)) return sum;
  double a;
#pragma omp task untied shared(a) firstprivate(left)
  a = integrate(left);
  const double b = integrate(right);
#pragma omp taskwait
  return a + b;
}

std::uint64_t nqueens(int n, int column, board b) {
  if (column == n) return 1;
  std::int8_t rows[most_queens];
  const int k = rows_in_peace(b, n, column, rows);
  if (k == 0) return 0;
  std::uint64_t found[most_queens];
  for (int i = 0; i + 1 < k; ++i) {
    b[column] = rows[i];
#pragma omp task untied shared(found) firstprivate(i, n, column, b)
    found[i] = nqueens(n, column + 1, b);
  }
  b[column] = rows[k - 1];
  found[k - 1] = nqueens(n, column + 1, b);
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (int i = 0; i < k; ++i) sum += found[i];
  return sum;
}

std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t each = leaves / 10;
  std::uint64_t part[10];
  for (std::uint64_t i = 0; i < 9; ++i) {
#pragma omp task untied shared(part) firstprivate(i, first, each)
    part[i] = skynet(first + i * each, each);
  }
  part[9] = skynet(first + 9 * each, each);
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (const std::uint64_t p : part) sum += p;
  return sum;
}

void merge(const int* a, std::size_t na, const int* b, std::size_t nb, int* out) {
  if (na + nb <= small_sort) return merge_small(a, na, b, nb, out);
  const merge_split s = split(a, na, b, nb);
#pragma omp task untied firstprivate(a, b, out, s)
  merge(a, s.a, b, s.b, out);
  merge(a + s.a, na - s.a, b + s.b, nb - s.b, out + s.a + s.b);
#pragma omp taskwait
}

void sort(int* data, int* space, std::size_t n) {
  if (n <= small_sort) return sort_small(data, n);
  const std::size_t q = n / 4;
  for (std::size_t i = 0; i < 3; ++i) {
#pragma omp task untied firstprivate(data, space, i, q)
    sort(data + i * q, space + i * q, q);
  }
  sort(data + 3 * q, space + 3 * q, n - 3 * q);
#pragma omp taskwait
#pragma omp task untied firstprivate(data, space, q)
  merge(data, q, data + q, q, space);
  merge(data + 2 * q, q, data + 3 * q, n - 3 * q, space + 2 * q);
#pragma omp taskwait
  merge(space, 2 * q, space + 2 * q, n - 2 * q, data);
}

// Runs f on one of as many threads as `workers` says; the others take its tasks.
template <class F>
void in_team(void* workers, F f) {
  const unsigned threads = *static_cast<unsigned*>(workers);
#pragma omp parallel num_threads(threads)
#pragma omp single
  f();
}

template <class T, class F>
T result_in_team(void* workers, F f) {
  T result{};
  in_team(workers, [&] { result = f(); });
  return result;
}

}  // namespace

const fork_join_table openmp_fork_join{
    [](unsigned threads) -> std::shared_ptr<void> { return std::make_shared<unsigned>(threads); },
    [](void* w, std::uint64_t n) { return result_in_team<std::uint64_t>(w, [n] { return fib(n); }); },
    [](void* w, double to) { return result_in_team<double>(w, [to] { return integrate(whole(to)); }); },
    [](void* w, int n) { return result_in_team<std::uint64_t>(w, [n] { return nqueens(n, 0, {}); }); },
    [](void* w, std::uint64_t leaves) {
      return result_in_team<std::uint64_t>(w, [leaves] { return skynet(0, leaves); });
    },
    [](void* w, int* data, int* space, std::size_t n) { in_team(w, [=] { sort(data, space, n); }); },
};

}  // namespace hel_bench

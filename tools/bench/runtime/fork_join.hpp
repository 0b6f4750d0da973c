// Fork-join programs, the same for every runtime that is compared: what they compute, and the tables of who computes
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace hel_bench {

// One runtime's versions. `workers` is what start() returned.
struct fork_join_table {
  std::shared_ptr<void> (*start)(unsigned threads);
  std::uint64_t (*fib)(void* workers, std::uint64_t n);
  double (*integrate)(void* workers, double to);
  std::uint64_t (*nqueens)(void* workers, int n);
  std::uint64_t (*skynet)(void* workers, std::uint64_t leaves);
  void (*sort)(void* workers, int* data, int* space, std::size_t n);
};

extern const fork_join_table serial_fork_join;
extern const fork_join_table tbb_fork_join;
extern const fork_join_table openmp_fork_join;
namespace lowered_gnu {
extern const fork_join_table fork_join;
}
namespace lowered_clang {
extern const fork_join_table fork_join;
}
namespace native_clang {
extern const fork_join_table fork_join;
}

// integrate: the area under x^3 + x by halving intervals until a half more changes nothing.
struct interval {
  double x1, y1, x2, y2, area;
};
inline double integrand(double x) { return (x * x + 1.0) * x; }
inline interval whole(double to) { return {0, integrand(0), to, integrand(to), 0}; }
// Halves `i`; true: fine enough, `sum` is the result.
inline bool halve(const interval& i, interval& left, interval& right, double& sum) {
  constexpr double epsilon = 1.0e-9;
  const double half = (i.x2 - i.x1) / 2, x0 = i.x1 + half, y0 = integrand(x0);
  left = {i.x1, i.y1, x0, y0, (i.y1 + y0) / 2 * half};
  right = {x0, y0, i.x2, i.y2, (y0 + i.y2) / 2 * half};
  sum = left.area + right.area;
  return sum - i.area < epsilon && i.area - sum < epsilon;
}

// nqueens: in how many ways n queens can stand on an n x n board in peace. Row of the queen in each column.
constexpr int most_queens = 16;
using board = std::array<std::int8_t, most_queens>;
inline bool in_peace(const board& b, int column, int row) {
  for (int c = 0; c < column; ++c) {
    const int apart = column - c;
    if (b[c] == row || b[c] == row - apart || b[c] == row + apart) return false;
  }
  return true;
}
// Writes the rows that `column` can have; returns how many.
inline int rows_in_peace(const board& b, int n, int column, std::int8_t (&rows)[most_queens]) {
  int k = 0;
  for (int row = 0; row < n; ++row)
    if (in_peace(b, column, row)) rows[k++] = static_cast<std::int8_t>(row);
  return k;
}

// cilksort: quarters are sorted, then merged in pairs; a merge splits the longer half at its middle.
constexpr std::size_t small_sort = 2048;
// Sorting and merging below that size: compiled once, used by all.
void sort_small(int* data, std::size_t n);
void merge_small(const int* a, std::size_t na, const int* b, std::size_t nb, int* out);
struct merge_split {
  std::size_t a, b;  // how many of each go to the lower half
};
inline merge_split split(const int* a, std::size_t na, const int* b, std::size_t nb) {
  if (na >= nb) return {na / 2, static_cast<std::size_t>(std::lower_bound(b, b + nb, a[na / 2]) - b)};
  return {static_cast<std::size_t>(std::upper_bound(a, a + na, b[nb / 2]) - a), nb / 2};
}

}  // namespace hel_bench

// Fork-join: how much a task costs that another worker could have taken.
#include "tools/bench/runtime/fork_join.hpp"

#include <bit>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tools/bench/runtime/upkeep.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {
namespace {

#if defined(HEL_BENCH_HAVE_CLANG)
#  define HEL_BENCH_CLANG(table) &table, ""
#else
#  define HEL_BENCH_CLANG(table) nullptr, "no clang++ when this was built"
#endif
#if defined(HEL_BENCH_HAVE_GNU)
#  define HEL_BENCH_GNU(table) &table, ""
#else
#  define HEL_BENCH_GNU(table) nullptr, "no g++ when this was built"
#endif
#if defined(HEL_BENCH_HAVE_TBB)
#  define HEL_BENCH_TBB(table) &table, ""
#else
#  define HEL_BENCH_TBB(table) nullptr, "no oneTBB when this was built"
#endif
#if defined(HEL_BENCH_HAVE_OPENMP)
#  define HEL_BENCH_OPENMP(table) &table, ""
#else
#  define HEL_BENCH_OPENMP(table) nullptr, "no OpenMP when this was built"
#endif

struct variant {
  const char* name;
  const fork_join_table* table;  // null: not in this build
  const char* missing;
};

const variant variants[] = {
    {"hel", HEL_BENCH_GNU(lowered_gnu::fork_join)},           {"hel-clang", HEL_BENCH_CLANG(lowered_clang::fork_join)},
    {"hel-native", HEL_BENCH_CLANG(native_clang::fork_join)}, {"tbb", HEL_BENCH_TBB(tbb_fork_join)},
    {"openmp", HEL_BENCH_OPENMP(openmp_fork_join)},           {"serial", &serial_fork_join, ""},
};

// run(table, workers): the work, once; returns a checksum.
template <class Run>
benchmark make(std::string name, std::string what, std::function<double()> tasks, Run run) {
  benchmark b;
  b.name = std::move(name);
  b.group = "fork-join";
  b.what = std::move(what);
  b.unit = "ns per task";
  b.ours = variants[0].table ? "hel" : "hel-clang";
  b.operations = std::move(tasks);
  b.timed = timing::cpu_if_one;
  b.countable = true;
  for (const variant& v : variants) {
    contender c;
    c.name = v.name;
    c.missing = v.missing;
    if (v.table) {
      c.prepare = [table = v.table, run](const settings& s) -> runner {
        return [table, run, workers = table->start(s.threads)](std::uint64_t rounds) {
          std::uint64_t sum = 0;
          for (std::uint64_t i = 0; i < rounds; ++i) sum += run(*table, workers.get());
          return sum;
        };
      };
    }
    b.contenders.push_back(std::move(c));
  }
  // What plain calls give is what everybody must give.
  b.checksum = [run](std::uint64_t rounds) { return rounds * run(serial_fork_join, nullptr); };
  return b;
}

// How much more memory than before fib(30) was resident while it ran.
benchmark make_memory(std::uint64_t n) {
  benchmark b;
  b.name = "fib-memory";
  b.group = "fork-join";
  b.what = "resident memory that fib(" + std::to_string(n) + ") adds to a runtime that has run fib(10)";
  b.unit = "KiB";
  b.ours = variants[0].table ? "hel" : "hel-clang";
  for (const variant& v : variants) {
    contender c;
    c.name = v.name;
    c.missing = v.missing;
    if (v.table) {
      c.figure = [table = v.table, n](const settings& s) {
        const auto workers = table->start(s.threads);
        table->fib(workers.get(), 10);
        const double before = resident_bytes();
        table->fib(workers.get(), n);
        return (most_resident_bytes() - before) / 1024;
      };
    }
    b.contenders.push_back(std::move(c));
  }
  return b;
}

double fib_calls(std::uint64_t n) { return n < 2 ? 1 : 1 + fib_calls(n - 1) + fib_calls(n - 2); }

double integrate_calls(const interval& i) {
  interval left, right;
  double sum;
  return halve(i, left, right, sum) ? 1 : 1 + integrate_calls(left) + integrate_calls(right);
}

double nqueens_calls(int n, int column, board b) {
  if (column == n) return 1;
  double calls = 1;
  for (int row = 0; row < n; ++row) {
    if (!in_peace(b, column, row)) continue;
    b[column] = static_cast<std::int8_t>(row);
    calls += nqueens_calls(n, column + 1, b);
  }
  return calls;
}

double skynet_calls(std::uint64_t leaves) { return leaves == 1 ? 1 : 1 + 10 * skynet_calls(leaves / 10); }

struct numbers {
  std::vector<int> input, data, space;
};

std::shared_ptr<numbers> random_numbers(std::size_t n) {
  auto all = std::make_shared<numbers>();
  std::mt19937 random(1);
  all->input.resize(n);
  for (int& x : all->input) x = static_cast<int>(random());
  all->data.resize(n);
  all->space.resize(n);
  return all;
}

// The same for sorted data only, whoever sorted it.
std::uint64_t order_of(const std::vector<int>& data) {
  std::uint64_t sum = std::is_sorted(data.begin(), data.end());
  for (std::size_t i = 0; i < data.size(); i += 1021) sum = sum * 31 + static_cast<std::uint32_t>(data[i]);
  return sum;
}

}  // namespace

void add_fork_join(std::vector<benchmark>& all, const settings& s) {
  const std::uint64_t n = s.quick ? 15 : s.counting ? 20 : 30;
  all.push_back(make(
      "fib", "fib(" + std::to_string(n) + "), every call a task", [n] { return fib_calls(n); },
      [n](const fork_join_table& t, void* w) { return t.fib(w, n); }));
  all.push_back(make_memory(n));

  const double to = s.quick || s.counting ? 10 : 300;
  all.push_back(make(
      "integrate", "the area under a curve by halving intervals", [to] { return integrate_calls(whole(to)); },
      [to](const fork_join_table& t, void* w) { return std::bit_cast<std::uint64_t>(t.integrate(w, to)); }));

  const int queens = s.quick ? 7 : s.counting ? 8 : 12;
  all.push_back(make(
      "nqueens", std::to_string(queens) + " queens in peace, every placement a task",
      [queens] { return nqueens_calls(queens, 0, {}); },
      [queens](const fork_join_table& t, void* w) { return t.nqueens(w, queens); }));

  const std::uint64_t leaves = s.quick ? 1000 : s.counting ? 10000 : 1000000;
  all.push_back(make(
      "skynet", std::to_string(leaves) + " leaves of a tree with ten children a node",
      [leaves] { return skynet_calls(leaves); },
      [leaves](const fork_join_table& t, void* w) { return t.skynet(w, leaves); }));

  const std::size_t length = s.quick ? 20000 : 10000000;
  // Made when they are first needed, not for --list.
  auto kept = std::make_shared<std::shared_ptr<numbers>>();
  benchmark sort = make(
      "cilksort", "merge sort of " + std::to_string(length) + " ints", [] { return 1.0; },
      [kept, length](const fork_join_table& t, void* w) {
        if (!*kept) *kept = random_numbers(length);
        numbers& x = **kept;
        x.data = x.input;
        t.sort(w, x.data.data(), x.space.data(), x.data.size());
        return order_of(x.data);
      });
  sort.countable = false;  // most of it is sorting
  sort.unit = "ms per sort";
  sort.unit_ns = 1e6;
  all.push_back(std::move(sort));
}

}  // namespace hel_bench

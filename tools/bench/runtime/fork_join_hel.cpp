// With hel::task: one child is awaited, the others are spawned, so that other workers can take them.
#include "hel/runtime.hpp"
#include "hel/spawn.hpp"
#include "hel/task.hpp"
#include "tools/bench/runtime/fork_join.hpp"

#if !defined(HEL_BENCH_VARIANT)
#  error "compile with -DHEL_BENCH_VARIANT=<namespace of the variant>"
#endif

namespace hel_bench::HEL_BENCH_VARIANT {
namespace {

// Results of the variant's own, so that what is instantiated for hel::task is, too.
enum class count : std::uint64_t {};
constexpr count operator+(count a, count b) { return count{std::uint64_t(a) + std::uint64_t(b)}; }
struct area {
  double value;
};
struct nothing {};

HEL_HOST_TASK hel::task<count> fib(std::uint64_t n) {
  if (n < 2) co_return count{n};
  auto a = hel::spawn(fib, n - 1);
  const count b = co_await fib(n - 2);
  co_return (co_await a) + b;
}

HEL_HOST_TASK hel::task<area> integrate(interval i) {
  interval left, right;
  double sum;
  if (halve(i, left, right, sum)) co_return area{sum};
  auto a = hel::spawn(integrate, left);
  const area b = co_await integrate(right);
  co_return area{(co_await a).value + b.value};
}

HEL_HOST_TASK hel::task<count> nqueens(int n, int column, board b) {
  if (column == n) co_return count{1};
  std::int8_t rows[most_queens];
  const int k = rows_in_peace(b, n, column, rows);
  if (k == 0) co_return count{0};
  hel::join_handle<count> others[most_queens];
  for (int i = 0; i + 1 < k; ++i) {
    b[column] = rows[i];
    others[i] = hel::spawn(nqueens, n, column + 1, b);
  }
  b[column] = rows[k - 1];
  count sum = co_await nqueens(n, column + 1, b);
  for (int i = k - 1; i-- > 0;) sum = sum + co_await others[i];
  co_return sum;
}

HEL_HOST_TASK hel::task<count> skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) co_return count{first};
  const std::uint64_t each = leaves / 10;
  hel::join_handle<count> others[9];
  for (std::uint64_t i = 0; i < 9; ++i) others[i] = hel::spawn(skynet, first + i * each, each);
  count sum = co_await skynet(first + 9 * each, each);
  for (int i = 9; i-- > 0;) sum = sum + co_await others[i];
  co_return sum;
}

HEL_HOST_TASK hel::task<nothing> merge(const int* a, std::size_t na, const int* b, std::size_t nb, int* out) {
  if (na + nb <= small_sort) {
    merge_small(a, na, b, nb, out);
    co_return nothing{};
  }
  const merge_split s = split(a, na, b, nb);
  auto lower = hel::spawn(merge, a, s.a, b, s.b, out);
  co_await merge(a + s.a, na - s.a, b + s.b, nb - s.b, out + s.a + s.b);
  co_await lower;
  co_return nothing{};
}

HEL_HOST_TASK hel::task<nothing> sort(int* data, int* space, std::size_t n) {
  if (n <= small_sort) {
    sort_small(data, n);
    co_return nothing{};
  }
  const std::size_t q = n / 4;
  {
    auto first = hel::spawn(sort, data, space, q);
    auto second = hel::spawn(sort, data + q, space + q, q);
    auto third = hel::spawn(sort, data + 2 * q, space + 2 * q, q);
    co_await sort(data + 3 * q, space + 3 * q, n - 3 * q);
    co_await third;
    co_await second;
    co_await first;
  }
  auto lower = hel::spawn(merge, data, q, data + q, q, space);
  co_await merge(data + 2 * q, q, data + 3 * q, n - 3 * q, space + 2 * q);
  co_await lower;
  co_await merge(space, 2 * q, space + 2 * q, n - 2 * q, data);
  co_return nothing{};
}

hel::runtime& runtime_of(void* workers) { return *static_cast<hel::runtime*>(workers); }

}  // namespace

const fork_join_table fork_join{
    [](unsigned threads) -> std::shared_ptr<void> {
      return std::make_shared<hel::runtime>(hel::cpu{.threads = threads, .executor = hel::executor::threads});
    },
    [](void* w, std::uint64_t n) { return std::uint64_t(runtime_of(w).launch(fib, n).get()); },
    [](void* w, double to) { return runtime_of(w).launch(integrate, whole(to)).get().value; },
    [](void* w, int n) { return std::uint64_t(runtime_of(w).launch(nqueens, n, 0, board{}).get()); },
    [](void* w, std::uint64_t leaves) {
      return std::uint64_t(runtime_of(w).launch(skynet, std::uint64_t{0}, leaves).get());
    },
    [](void* w, int* data, int* space, std::size_t n) { runtime_of(w).launch(sort, data, space, n).get(); },
};

}  // namespace hel_bench::HEL_BENCH_VARIANT

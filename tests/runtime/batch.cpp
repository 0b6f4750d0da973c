// Batches: indices and items, results, failures, exceptions, detached, nested, as dependencies.
#include <atomic>
#include <numeric>
#include <stdexcept>

#include "support.hpp"

namespace {

hel::task<> add(std::atomic<long>& sum, std::size_t i) {
  if (i % 7 == 0) co_await hel::yield();
  sum += static_cast<long>(i);
}
hel::task<long> adds(std::size_t n) {
  std::atomic<long> sum = 0;
  auto b = hel::spawn_batch(n, [&sum](std::size_t i) { return add(sum, i); });
  co_await b;
  co_return sum;
}
hel::task<int> square(int n) {
  if (n % 3 == 0) co_await hel::yield();
  co_return n * n;
}
hel::task<bool> results() {
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  auto b = hel::spawn_batch(items, square);
  std::vector<int> squares = co_await b;
  bool right = squares.size() == 100 && !b.valid();
  for (int i = 0; i < 100; ++i) right = right && squares[static_cast<std::size_t>(i)] == i * i;
  co_return right;
}
hel::task<int> nothing() {
  auto b = hel::spawn_batch(0, square);
  auto none = co_await b;
  co_return static_cast<int>(none.size());
}

hel::task<int> fails_at(std::size_t i, std::atomic<int>& over) {
  if (i % 2) co_await hel::yield();
  ++over;
  if (i == 60) co_await hel::fail(60);
  if (i == 30) {
    for (int k = 0; k < 50; ++k) co_await hel::yield();
    co_await hel::fail(30);
  }
  co_return 1;
}
hel::task<int> fails_in_turn(std::atomic<int>& over) {
  auto b = hel::spawn_batch(100, [&over](std::size_t i) { return fails_at(i, over); });
  auto r = co_await b;
  co_return static_cast<int>(r.size());
}
hel::task<int> fails_late(std::atomic<int>& over) {
  auto b = hel::spawn_batch(100, [&over](std::size_t i) { return fails_at(i, over); });
  while (!b.done()) co_await hel::yield();
  auto r = co_await b;
  co_return static_cast<int>(r.size());
}
hel::task<int> expects(std::atomic<int>& over) {
  auto b = hel::spawn_batch(100, [&over](std::size_t i) { return fails_at(i, over); });
  auto r = co_await hel::as_expected(b);
  auto good = hel::spawn_batch(3, [](std::size_t i) { return square(static_cast<int>(i)); });
  auto g = co_await hel::as_expected(good);
  co_return r.error().code + (*g)[2];
}
hel::task<> throws_at(std::size_t i) {
  if (i == 5) throw std::runtime_error("five");
  co_return;
}
hel::task<> throws() {
  auto b = hel::spawn_batch(10, throws_at);
  co_await b;
}
hel::task<> throws_early() {
  auto b = hel::spawn_batch(10, [](std::size_t i) {
    if (i == 3) throw std::runtime_error("no task");
    return throws_at(0);
  });
  co_await b;
}

hel::task<> detach(std::atomic<long>& sum) {
  hel::spawn_batch(1000, [&sum](std::size_t i) { return add(sum, i); }).detach();
  co_return;
}
hel::task<> inner(std::atomic<long>& sum) {
  auto b = hel::spawn_batch(20, [&sum](std::size_t i) { return add(sum, i); });
  co_await b;
}
hel::task<long> nested() {
  std::atomic<long> sum = 0;
  auto b = hel::spawn_batch(50, [&sum](std::size_t) { return inner(sum); });
  co_await b;
  co_return sum;
}
hel::task<long> read(std::atomic<long>& sum) { co_return sum; }
hel::task<long> after_batch() {
  std::atomic<long> sum = 0;
  auto b = hel::spawn_batch(500, [&sum](std::size_t i) { return add(sum, i); });
  auto after = hel::spawn_after(b, read, sum);
  long seen = co_await after;
  co_await b;
  co_return seen;
}

}  // namespace

TEST_CASE("a batch of indices, of items, of nothing") {
  on_all_executors([](long r) { CHECK(r == 4950); }, adds, 100);
  on_all_executors([](long r) { CHECK(r == 20000L * 19999 / 2); }, adds, 20000);
  on_all_executors([](long r) { CHECK(r == 0); }, adds, 1);
  on_all_executors([](bool r) { CHECK(r); }, results);
  on_all_executors([](int r) { CHECK(r == 0); }, nothing);
}

TEST_CASE("a batch waits for all and fails as its first failed task") {
  for (const hel::cpu& settings : all_executors()) {
    for (auto f : {fails_in_turn, fails_late}) {
      std::atomic<int> over = 0;
      hel::runtime rt(settings);
      CHECK(rt.launch(f, over).get_expected().error().code == 30);
      CHECK(over == 100);
    }
    std::atomic<int> over = 0;
    hel::runtime rt(settings);
    CHECK(rt.launch(expects, over).get() == 34);
    CHECK_THROWS_WITH(rt.launch(throws).get(), "five");
    CHECK_THROWS_WITH(rt.launch(throws_early).get(), "no task");
  }
}

TEST_CASE("batches are detached, nested, and waited for") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<long> sum = 0;
    { hel::runtime(settings).launch(detach, sum).get(); }
    CHECK(sum == 499500);
  }
  on_all_executors([](long r) { CHECK(r == 50 * 190); }, nested);
  on_all_executors([](long r) { CHECK(r == 500 * 499 / 2); }, after_batch);
}

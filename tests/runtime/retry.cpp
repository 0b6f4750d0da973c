// Retried tasks: attempts, codes, delays, what the awaiter and those who depend on the task see.
#include <atomic>
#include <chrono>
#include <stdexcept>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

// Fails with its argument until the given attempt.
hel::task<int> flaky(std::atomic<int>& runs, int good_from, int code) {
  int run = ++runs;
  if (run % 2) co_await hel::yield();
  if (run < good_from) co_await hel::fail(code);
  co_return run;
}
hel::task<int> succeeds() {
  std::atomic<int> runs = 0;
  co_return co_await hel::spawn(hel::retry{.max_attempts = 5}, flaky, std::ref(runs), 4, 1);
}
hel::task<bool> gives_up() {
  std::atomic<int> runs = 0;
  auto r = co_await hel::as_expected(hel::spawn(hel::retry{.max_attempts = 3}, flaky, std::ref(runs), 9, 7));
  co_return !r && r.error().code == 7 && r.error().attempts == 3 && runs == 3;
}
hel::task<int> fails_in_turn(std::atomic<int>& runs) {
  auto h = hel::spawn(hel::retry{.max_attempts = 4}, flaky, std::ref(runs), 9, 7);
  co_return co_await h;
}
hel::task<bool> only_some_codes() {
  std::atomic<int> a = 0, b = 0;
  hel::retry policy{.max_attempts = 5, .codes = {3, 4}};
  auto x = hel::spawn(policy, flaky, std::ref(a), 3, 4);
  auto y = hel::spawn(policy, flaky, std::ref(b), 3, 5);
  auto rx = co_await hel::as_expected(x);
  auto ry = co_await hel::as_expected(y);
  co_return rx && *rx == 3 && !ry&& ry.error().code == 5 && ry.error().attempts == 1 && b == 1;
}
hel::task<int> throws(std::atomic<int>& runs) {
  ++runs;
  throw std::runtime_error("no retry");
  co_return 0;
}
hel::task<> exception_ends_it(std::atomic<int>& runs) {
  co_await hel::spawn(hel::retry{.max_attempts = 5}, throws, std::ref(runs));
}
hel::task<int> reads(std::atomic<int>& runs) { co_return runs; }
// Those who depend on the task wait for its last attempt.
hel::task<bool> keeps_its_place() {
  std::atomic<int> runs = 0;
  auto h = hel::spawn(hel::retry{.max_attempts = 6, .backoff = hel::constant_backoff(1ms)}, flaky, std::ref(runs), 5, 1);
  auto after = hel::spawn_after(h, reads, runs);
  auto after_all = hel::spawn_after({h, after}, reads, runs);
  int seen = co_await after;
  int last = co_await after_all;
  int result = co_await h;
  co_return seen == 5 && last == 5 && result == 5;
}
hel::task<bool> waits_between(hel::backoff b, std::chrono::nanoseconds at_least, std::chrono::nanoseconds at_most) {
  std::atomic<int> runs = 0;
  auto before = hel::now();
  co_await hel::spawn(hel::retry{.max_attempts = 5, .backoff = b}, flaky, std::ref(runs), 5, 1);
  auto taken = hel::now() - before;
  co_return taken >= at_least&& taken <= at_most;
}
// By-value arguments are the original ones each time.
hel::task<int> eats(std::vector<int> food, std::atomic<int>& sum) {
  while (!food.empty()) {
    sum += food.back();
    food.pop_back();
    co_await hel::yield();
  }
  co_await hel::fail(1);
  co_return 0;
}
hel::task<int> original_arguments() {
  std::atomic<int> sum = 0;
  auto r = co_await hel::as_expected(
      hel::spawn(hel::retry{.max_attempts = 3}, eats, std::vector<int>{1, 2, 3}, std::ref(sum)));
  co_return r ? 0 : sum.load();
}
hel::task<> detached(std::atomic<int>& runs) {
  hel::spawn(hel::retry{.max_attempts = 3, .backoff = hel::constant_backoff(1ms)}, flaky, std::ref(runs), 9, 1).detach();
  co_return;
}

}  // namespace

TEST_CASE("a failing task is run again, up to a limit") {
  on_all_executors([](int r) { CHECK(r == 4); }, succeeds);
  on_all_executors([](bool r) { CHECK(r); }, gives_up);
  on_all_executors([](bool r) { CHECK(r); }, only_some_codes);
  on_all_executors([](int r) { CHECK(r == 18); }, original_arguments);
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> runs = 0;
    hel::runtime rt(settings);
    const auto r = rt.launch(fails_in_turn, runs).get_expected();
    CHECK(r.error().code == 7);
    CHECK(r.error().attempts == 4);
    CHECK(runs == 4);
  }
}

TEST_CASE("an exception is not retried") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> runs = 0;
    hel::runtime rt(settings);
    CHECK_THROWS_WITH(rt.launch(exception_ends_it, runs).get(), "no retry");
    CHECK(runs == 1);
  }
}

TEST_CASE("a retried task keeps its place as a dependency") {
  on_all_executors([](bool r) { CHECK(r); }, keeps_its_place);
}

TEST_CASE("a detached task is retried, too") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> runs = 0;
    { hel::runtime(settings).launch(detached, runs).get(); }
    CHECK(runs == 3);
  }
}

TEST_CASE("delays between attempts") {
  // In virtual time the sum is exact.
  hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
  CHECK(rt.launch(waits_between, hel::constant_backoff(10s), 40s, 40s).get());
  CHECK(rt.launch(waits_between, hel::exponential_backoff(1s), 15s, 15s).get());
  CHECK(rt.launch(waits_between, hel::exponential_backoff(1s, 10, 50s), 111s, 111s).get());
  CHECK(rt.launch(waits_between, hel::constant_backoff(10s, 0.5), 20s, 60s).get());
  CHECK(!rt.launch(waits_between, hel::constant_backoff(10s, 0.5), 40s, 40s).get());
  on_all_executors([](bool r) { CHECK(r); }, waits_between, hel::constant_backoff(2ms), 8ms, 10s);
}

TEST_CASE("back-off: limits and jitter") {
  const hel::backoff b = hel::exponential_backoff(1ms, 2, 10ms);
  CHECK(b.delay(1, 0) == 1ms);
  CHECK(b.delay(4, 0) == 8ms);
  CHECK(b.delay(5, 0) == 10ms);
  CHECK(b.delay(4000000000u, 0) == 10ms);
  const hel::backoff j = hel::constant_backoff(10ms, 0.2);
  CHECK(j.delay(1, 0) == 8ms);
  CHECK(j.delay(9, 0.5) == 10ms);
}

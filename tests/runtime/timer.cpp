// Sleeping tasks, in real and in virtual time.
#include <atomic>
#include <chrono>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

hel::task<> sleeper(std::string& order, std::atomic<int>& lock, char c, std::chrono::milliseconds d) {
  co_await hel::sleep_for(d);
  while (lock.exchange(1)) {
  }
  order += c;
  lock = 0;
}
hel::task<std::string> in_order() {
  std::string order;
  std::atomic<int> lock = 0;
  auto c = hel::spawn(sleeper, order, lock, 'c', 60ms);
  auto a = hel::spawn(sleeper, order, lock, 'a', 0ms);
  auto b = hel::spawn(sleeper, order, lock, 'b', 20ms);
  co_await a;
  co_await b;
  co_await c;
  co_return order;
}
hel::task<bool> takes_its_time(std::chrono::milliseconds d) {
  auto before = hel::now();
  co_await hel::sleep_for(d);
  auto after = hel::now();
  co_return after - before >= d;
}
hel::task<> counts(std::atomic<int>& n, int i) {
  co_await hel::sleep_for(std::chrono::microseconds(i * 7919 % 5000));
  ++n;
}
hel::task<int> many() {
  std::atomic<int> n = 0;
  auto b = hel::spawn_batch(2000, [&n](std::size_t i) { return counts(n, static_cast<int>(i)); });
  co_await b;
  co_return n;
}
hel::task<> spins(std::atomic<bool>& stop) {
  while (!stop) co_await hel::yield();
}
hel::task<> sets(std::atomic<bool>& stop) {
  co_await hel::sleep_for(5ms);
  stop = true;
}
hel::task<int> long_ones() {
  int hours = 0;
  for (; hours < 100; ++hours) co_await hel::sleep_for(1h);
  co_return hours;
}

}  // namespace

TEST_CASE("sleeping tasks wake in the order of their time") {
  on_all_executors([](const std::string& r) { CHECK(r == "abc"); }, in_order);
  on_all_executors([](bool r) { CHECK(r); }, takes_its_time, 3ms);
  on_all_executors([](bool r) { CHECK(r); }, takes_its_time, -3ms);
  on_all_executors([](int r) { CHECK(r == 2000); }, many);
}

TEST_CASE("the worker goes on while a task sleeps") {
  std::atomic<bool> stop = false;
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  auto a = rt.launch(spins, stop);
  auto b = rt.launch(sets, stop);
  a.get();
  b.get();
}

TEST_CASE("virtual time jumps") {
  const auto before = std::chrono::steady_clock::now();
  hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
  CHECK(rt.launch(long_ones).get() == 100);
  CHECK(std::chrono::steady_clock::now() - before < 10s);
}

TEST_CASE("the runtime's end waits for those who sleep") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      for (int i = 0; i < 10; ++i) auto dropped = rt.launch(counts, n, i);
    }
    CHECK(n == 10);
  }
}

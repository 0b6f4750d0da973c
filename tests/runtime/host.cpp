// Host calls: results, errors, concurrency, more calls than the mailbox holds.
#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

using log_type = std::vector<std::string>;

int square(int n) { return n * n; }
int throws(int) { throw std::runtime_error("on the host"); }
int fails_with(int code) { throw hel::failure(hel::error(code)); }
std::thread::id where() { return std::this_thread::get_id(); }
void bump(int& n) { ++n; }
int slowly(int n) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return n;
}

hel::task<int> calls() {
  int a = co_await hel::host(square, 3);
  int b = co_await hel::host([a](int n) { return a + n; }, 1);
  co_return b;
}
hel::task<int> by_reference() {
  int n = 0;
  co_await hel::host(bump, std::ref(n));
  co_await hel::host(bump, std::ref(n));
  co_return n;
}
hel::task<std::string> moved_arguments() {
  auto p = std::make_unique<std::string>("moved");
  std::string s = co_await hel::host([](std::unique_ptr<std::string> q) { return *q; }, std::move(p));
  co_return s;
}
hel::task<bool> elsewhere() {
  std::thread::id here = std::this_thread::get_id();
  std::thread::id there = co_await hel::host(where);
  co_return here != there;
}

hel::task<int> call_throwing(log_type& log) {
  logged local(log, "caller");
  int n = co_await hel::host(throws, 1);
  log.push_back("not reached");
  co_return n;
}
hel::task<int> expects(log_type& log) {
  auto r = co_await hel::as_expected(call_throwing(log));
  co_return r ? 0 : r.error().code;
}
hel::task<int> expects_directly(int code) {
  auto good = co_await hel::as_expected(hel::host(square, 5));
  auto bad = co_await hel::as_expected(hel::host(fails_with, code));
  co_return *good + bad.error().code;
}

hel::task<int> one(int n) {
  int r = co_await hel::host(square, n);
  co_return r;
}
hel::task<long> flood(int n) {
  std::vector<hel::task<int>> all;
  for (int i = 0; i < n; ++i) all.push_back(one(i % 100));
  auto results = co_await hel::when_all(std::move(all));
  long sum = 0;
  for (int r : results) sum += r;
  co_return sum;
}
hel::task<int> slow_call(int n) { co_return co_await hel::host(slowly, n); }
hel::task<int> slow_calls() {
  auto r = co_await hel::when_all(slow_call(1), slow_call(2), slow_call(3), slow_call(4));
  co_return hel::get<0>(r) + hel::get<1>(r) + hel::get<2>(r) + hel::get<3>(r);
}
hel::task<int> spin_until(std::atomic<bool>& flag) {
  int n = 0;
  while (!flag) {
    co_await hel::yield();
    ++n;
  }
  co_return n;
}
hel::task<int> call_and_set(std::atomic<bool>& flag) {
  int n = co_await hel::host(slowly, 1);
  flag = true;
  co_return n;
}

}  // namespace

TEST_CASE("a host call returns the function's result") {
  on_all_executors([](int r) { CHECK(r == 10); }, calls);
  on_all_executors([](int r) { CHECK(r == 2); }, by_reference);
  on_all_executors([](const std::string& r) { CHECK(r == "moved"); }, moved_arguments);
}

TEST_CASE("with threads, the function runs on no worker") {
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  CHECK(rt.launch(elsewhere).get());
}

TEST_CASE("an exception on the host fails the calling task") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    CHECK(rt.launch(expects, log).get() == static_cast<int>(hel::errc::host_exception));
    CHECK(log == log_type{"caller"});
    CHECK(rt.launch(expects_directly, 17).get() == 42);
  }
}

TEST_CASE("more calls than the mailbox holds") {
  on_all_executors([](long r) { CHECK(r == 100L * 328350); }, flood, 10000);
}

TEST_CASE("calls wait side by side, and the worker goes on meanwhile") {
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads, .host_threads = 4});
  const auto start = std::chrono::steady_clock::now();
  CHECK(rt.launch(slow_calls).get() == 10);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(20));
  std::atomic<bool> flag = false;
  auto spinning = rt.launch(spin_until, flag);
  auto calling = rt.launch(call_and_set, flag);
  CHECK(calling.get() == 1);
  CHECK(spinning.get() > 0);
}

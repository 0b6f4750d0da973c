// Priorities: who comes first, who inherits, and that nobody starves.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
constexpr auto high = hel::priority::high;
constexpr auto normal = hel::priority::normal;

hel::task<> writes(std::string& out, char c) {
  out += c;
  co_return;
}
hel::task<> writes_often(std::string& out, char c, int times) {
  for (int i = 0; i < times; ++i) {
    out += c;
    co_await hel::yield();
  }
}
// What is spawned last of high priority comes before what was spawned first of normal priority.
hel::task<std::string> order() {
  std::string out;
  std::vector<hel::join_handle<void>> handles;
  for (char c : {'a', 'b', 'c'}) handles.push_back(hel::spawn(writes, out, c));
  for (char c : {'x', 'y', 'z'}) handles.push_back(hel::spawn(high, writes, out, c));
  co_await hel::sleep_for(1ms);
  for (auto& h : handles) co_await h;
  co_return out;
}
struct writes_m {
  std::string* out;
  hel::task<> operator()(std::size_t) const { return writes(*out, 'm'); }
};
struct spawns_batch {
  std::string* out;
  auto operator()() const { return hel::spawn_batch(2, writes_m{out}); }
};
hel::task<> high_parent(std::string& out) {
  auto a = hel::spawn(writes_often, out, 'h', 3);  // high as well
  auto b = hel::spawn(normal, writes_often, out, 'n', 3);
  auto c = hel::at(normal, spawns_batch{&out});
  co_await hel::yield();
  co_await writes(out, 'p');
  co_await a;
  co_await b;
  co_await c;
}
hel::task<std::string> inherited() {
  std::string out;
  auto other = hel::spawn(writes_often, out, 'o', 5);
  auto h = hel::spawn(high, high_parent, out);
  co_await h;
  co_await other;
  co_return out;
}
hel::task<int> fails_twice(std::atomic<int>& n) {
  if (++n < 3) co_await hel::fail(1);
  co_return n;
}
hel::task<> waits(hel::event& e) { co_await e.wait(); }
hel::task<bool> with_other_options() {
  std::atomic<int> n = 0;
  auto h = hel::spawn(high, hel::retry{.max_attempts = 5}, fails_twice, std::ref(n));
  int attempts = co_await h;
  hel::cancel_source source;
  hel::event e;
  auto c = hel::spawn(high, source.token(), waits, e);
  source.cancel();
  auto r = co_await hel::as_expected(c);
  co_return attempts == 3 && !r && r.error() == hel::errc::cancelled;
}

// As many urgent tasks as workers and more, which are always ready again, and one that is not urgent.
hel::task<> always_ready(std::atomic<bool>& stop) {
  while (!stop) co_await hel::yield();
}
hel::task<int> in_the_background(std::atomic<bool>& stop, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  stop = true;
  co_return yields;
}
hel::task<int> starves(int busy, bool low_waits_outside) {
  std::atomic<bool> stop = false;
  std::vector<hel::join_handle<void>> handles;
  for (int i = 0; i < busy; ++i) handles.push_back(hel::spawn(high, always_ready, stop));
  if (low_waits_outside) co_await hel::sleep_for(1ms);
  auto low = hel::spawn(in_the_background, stop, 100);
  int n = co_await low;
  for (auto& h : handles) co_await h;
  co_return n;
}
// How much of each runs while both are always ready.
hel::task<> counts(std::atomic<long>& mine, std::atomic<long>& all, long most) {
  while (all < most) {
    ++mine;
    ++all;
    co_await hel::yield();
  }
}
hel::task<double> share() {
  std::atomic<long> of_high = 0, of_normal = 0, all = 0;
  auto a = hel::spawn(counts, of_normal, all, 8000L);
  auto b = hel::spawn(high, counts, of_high, all, 8000L);
  co_await a;
  co_await b;
  co_return static_cast<double>(of_normal) / static_cast<double>(of_high + of_normal);
}

hel::task<long> fib(long n) {
  if (n < 2) co_return n;
  auto h = hel::spawn(fib, n - 1);
  long b = co_await fib(n - 2);
  co_return b + co_await h;
}
hel::task<long> mixed_fib(long n) {
  if (n < 2) co_return n;
  auto h = hel::spawn(n % 2 == 0 ? high : normal, mixed_fib, n - 1);
  long b = co_await mixed_fib(n - 2);
  co_return b + co_await h;
}
hel::task<int> through_host() {
  int n = co_await hel::host([] { return 4; });
  auto h = hel::spawn(fib, 6L);
  co_return n + static_cast<int>(co_await h);
}

}  // namespace

TEST_CASE("what is urgent runs before what is ready") {
  hel::runtime one(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  CHECK(one.launch(order).get() == "xyzcba");  // the worker's own work is taken last in, first out
  hel::runtime det(hel::cpu{.executor = hel::executor::deterministic});
  CHECK(det.launch(order).get() == "xyzabc");
}

TEST_CASE("a priority is inherited, unless another one is given") {
  hel::runtime det(hel::cpu{.executor = hel::executor::deterministic});
  const std::string out = det.launch(inherited).get();
  CHECK(out.substr(0, 4) == "hphh");
  CHECK(out.size() == 14);
}

TEST_CASE("priorities go with the other options, host calls and applications") {
  on_all_executors([](bool r) { CHECK(r); }, with_other_options);
  on_all_executors([](long r) { CHECK(r == 610); }, mixed_fib, 15L);
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    CHECK(rt.launch(high, fib, 12L).get() == 144);
    CHECK(rt.launch(high, through_host).get() == 12);
    CHECK(rt.launch(hel::cancellable, high, mixed_fib, 12L).get() == 144);
    hel::event e;
    auto app = rt.launch(hel::cancellable, high, waits, e);
    app.cancel();
    CHECK(app.get_expected().error() == hel::errc::cancelled);
  }
  CHECK_THROWS_AS((void)hel::spawn(high, fib, 1L), std::logic_error);
}

TEST_CASE("what is not urgent does not starve") {
  for (const hel::cpu& settings : all_executors()) {
    for (bool outside : {false, true}) {
      if (outside && settings.executor == hel::executor::deterministic) continue;  // its clock waits for idleness
      hel::runtime rt(settings);
      CHECK(rt.launch(starves, 8, outside).get() == 100);
    }
  }
}

TEST_CASE("one choice in eight goes to what is not urgent") {
  for (const hel::cpu& settings : {all_executors()[0], all_executors()[3]}) {
    hel::runtime rt(settings);
    const double s = rt.launch(share).get();
    CHECK(s > 0.1);
    CHECK(s < 0.15);
  }
}

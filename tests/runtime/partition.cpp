// Partitions: which workers run what, and that held-up tasks do not hold up the services.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

// The threads on which something ran.
class threads {
 public:
  void here() {
    const std::lock_guard lock(mutex_);
    seen_.insert(std::this_thread::get_id());
  }
  std::set<std::thread::id> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  std::mutex mutex_;
  std::set<std::thread::id> seen_;
};
struct places {
  threads services, applications, tasks;
};
bool share(const std::set<std::thread::id>& a, const std::set<std::thread::id>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::thread::id id) { return b.count(id) != 0; });
}

hel::task<int> spawned(places& p, int depth) {
  p.tasks.here();
  co_await hel::yield();
  p.tasks.here();
  if (depth > 0) {
    auto h = hel::spawn(spawned, p, depth - 1);
    int n = co_await h;
    p.tasks.here();
    co_return n + 1;
  }
  int one = co_await hel::host([] { return 1; });
  p.tasks.here();
  co_return one;
}
hel::task<int> awaited(places& p) {
  p.applications.here();
  co_await hel::sleep_for(100us);
  p.applications.here();
  co_return co_await hel::host([] { return 2; });
}
struct counting {
  explicit counting(places& p) : where(&p) {}
  hel::task<> start() { return stays(); }
  hel::task<> stop() { return stays(); }
  hel::task<> stays() {
    where->services.here();
    co_await hel::yield();
    where->services.here();
  }
  hel::task<int> handle(int n) {
    where->services.here();
    auto h = hel::spawn(spawned, *where, 1);
    int m = co_await h;
    where->services.here();
    co_await hel::sleep_for(100us);
    where->services.here();
    co_return n + m;
  }
  places* where;
};
hel::task<int> launched(places& p, hel::service<counting> s) {
  p.applications.here();
  auto h = hel::spawn(spawned, p, 3);
  auto r = co_await hel::when_all(awaited(p), awaited(p));
  p.applications.here();
  int n = co_await s.call(10);
  p.applications.here();
  auto b = hel::spawn_batch(4, [&p](std::size_t) { return spawned(p, 0); });
  auto u = hel::spawn(hel::priority::high, spawned, p, 2);
  co_await b;
  p.applications.here();
  co_return n + hel::get<0>(r) + hel::get<1>(r) + co_await h + co_await u;
}

struct answers {
  int handle(int n) { return n + 1; }
};
hel::task<> holds_up(std::atomic<bool>& held, const std::atomic<bool>& go_on) {
  held = true;
  while (!go_on) std::this_thread::sleep_for(1ms);
  co_return;
}
hel::task<int> works_meanwhile(hel::service<answers> s, std::atomic<bool>& held, std::atomic<bool>& go_on) {
  auto h = hel::spawn(holds_up, held, go_on);
  while (!held) co_await hel::yield();
  int n = 0;
  for (int i = 0; i < 100; ++i) n = co_await s.call(n);
  n += co_await hel::host([] { return 1; });
  go_on = true;
  co_await h;
  co_return n;
}
hel::task<int> calls_only(hel::service<answers> s) { co_return co_await s.call(1); }
hel::task<int> launched_holds_up(std::atomic<bool>& held, const std::atomic<bool>& go_on) {
  co_await holds_up(held, go_on);
  co_return 1;
}
hel::task<long> fib(long n) {
  if (n < 2) co_return n;
  auto h = hel::spawn(fib, n - 1);
  long b = co_await fib(n - 2);
  co_return b + co_await h;
}

hel::cpu divided(hel::partition p) { return {.executor = hel::executor::threads, .partition = p}; }

}  // namespace

TEST_CASE("each kind has workers of its own") {
  for (auto start : {0, 1}) {
    places p;
    {
      hel::runtime rt(divided({.services = 1, .applications = 2, .tasks = 2}));
      CHECK(rt.threads() == 5);
      auto s = rt.start_service<counting>({}, p);
      const auto run = [&] {
        return start == 0 ? rt.launch(launched, p, s).get() : rt.launch(hel::cancellable, launched, p, s).get();
      };
      CHECK(run() == 10 + 2 + 2 + 2 + 4 + 3);
      auto a = rt.launch(hel::priority::high, launched, p, s);
      auto b = rt.launch(launched, p, s);
      a.get();
      b.get();
    }
    CHECK(p.services.seen().size() == 1);
    CHECK(p.applications.seen().size() <= 2);
    CHECK(p.tasks.seen().size() <= 2);
    CHECK(!share(p.services.seen(), p.applications.seen()));
    CHECK(!share(p.services.seen(), p.tasks.seen()));
    CHECK(!share(p.applications.seen(), p.tasks.seen()));
  }
}

TEST_CASE("what has no workers of its own runs on those of the tasks") {
  places p;
  {
    hel::runtime rt(divided({.tasks = 1}));
    CHECK(rt.threads() == 1);
    auto s = rt.start_service<counting>({}, p);
    CHECK(rt.launch(launched, p, s).get() == 23);
  }
  CHECK(p.services.seen() == p.tasks.seen());
  CHECK(p.services.seen() == p.applications.seen());
}

TEST_CASE("held-up tasks hold up neither services nor applications") {
  for (int round = 0; round < 5; ++round) {
    hel::runtime rt(divided({.services = 1, .applications = 1, .tasks = 1}));
    auto s = rt.start_service<answers>();
    std::atomic<bool> held = false, go_on = false;
    CHECK(rt.launch(works_meanwhile, s, held, go_on).get() == 101);
  }
}

TEST_CASE("held-up applications hold up neither services nor tasks") {
  hel::runtime rt(divided({.services = 1, .applications = 2, .tasks = 1}));
  auto s = rt.start_service<answers>();
  std::atomic<bool> held = false, go_on = false;
  auto a = rt.launch(launched_holds_up, held, go_on);
  while (!held) std::this_thread::sleep_for(1ms);
  CHECK(rt.launch(calls_only, s).get() == 2);
  CHECK(rt.launch(fib, 12L).get() == 144);
  go_on = true;
  CHECK(a.get() == 1);
}

TEST_CASE("partitions of every shape run the same") {
  for (unsigned services : {0u, 1u, 2u}) {
    for (unsigned applications : {0u, 1u, 2u}) {
      for (unsigned tasks : {1u, 3u}) {
        hel::runtime rt(divided({services, applications, tasks}));
        auto s = rt.start_service<answers>();
        auto a = rt.launch(fib, 15L);
        auto b = rt.launch(hel::cancellable, fib, 13L);
        CHECK(rt.launch(calls_only, s).get() == 2);
        CHECK(a.get() == 610);
        CHECK(b.get() == 233);
      }
    }
  }
}

TEST_CASE("partitions that make no sense are refused") {
  CHECK_THROWS_WITH_AS(hel::runtime(divided({.services = 1, .applications = 1, .tasks = 0})),
                       "hel::partition::tasks=0: expected 1 to 4096", std::invalid_argument);
  CHECK_THROWS_AS(hel::runtime(divided({.services = 5000, .tasks = 1})), std::invalid_argument);
  CHECK_THROWS_AS(hel::runtime(divided({.services = 4096, .applications = 4096, .tasks = 4096})),
                  std::invalid_argument);
  CHECK_THROWS_WITH_AS(
      hel::runtime(hel::cpu{.threads = 4, .executor = hel::executor::threads, .partition = hel::partition{1, 1, 1}}),
      "hel::cpu::threads=4, but hel::cpu::partition has 3 workers", std::invalid_argument);
  CHECK_THROWS_AS(
      hel::runtime(hel::cpu{.executor = hel::executor::deterministic, .partition = hel::partition{1, 1, 0}}),
      std::invalid_argument);
}

// Statistics: what is counted, exactly once the runtime is drained.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include <unistd.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

hel::task<> nothing() { co_return; }
hel::task<> spawns(int n) {
  for (int i = 0; i < n; ++i) {
    auto h = hel::spawn(nothing);
    co_await h;
  }
}
hel::task<> spawns_many(int n) {
  std::vector<hel::join_handle<void>> handles;
  for (int i = 0; i < n; ++i) handles.push_back(hel::spawn(nothing));
  for (auto& h : handles) co_await h;
}
hel::task<> fails(std::atomic<int>& left) {
  if (left-- > 0) co_await hel::fail(1);
}
hel::task<> retries(std::atomic<int>& left) {
  auto h = hel::spawn(hel::retry{.max_attempts = 10}, fails, std::ref(left));
  co_await h;
}
hel::task<> waits(hel::event& e) {
  auto sleeping = hel::sleep_for(1h);
  (void)sleeping;
  co_await e.wait();
}
hel::task<> waits_here(hel::event& e) { co_await e.wait(); }
hel::task<> sleeps() { co_await hel::sleep_for(20ms); }
hel::task<> busy(std::atomic<int>& here) {
  ++here;
  while (here < 2) std::this_thread::yield();  // until another worker has come
  co_return;
}
hel::task<> needs_two(std::atomic<int>& here) {
  auto h = hel::spawn(busy, here);
  co_await busy(here);
  co_await h;
}

hel::task<> spawns_into(hel::event& e, int n, std::atomic<bool>& seen) {
  std::vector<hel::join_handle<void>> all;
  for (int i = 0; i < n; ++i) all.push_back(hel::spawn(waits_here, e));
  while (!seen) std::this_thread::yield();
  for (auto& h : all) co_await h;
}
hel::task<int> asks_host(std::atomic<bool>& go) {
  co_return co_await hel::host([&go] {
    while (!go) std::this_thread::yield();
    return 1;
  });
}
struct wait_for_it {};
struct slow {
  hel::event* e;
  hel::task<> handle(wait_for_it) { co_await e->wait(); }
};
hel::task<> posts(hel::service<slow> s, int n) {
  for (int i = 0; i < n; ++i) co_await s.post(wait_for_it{});
}

}  // namespace

TEST_CASE("tasks, retries and timers are counted") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::runtime rt(settings);
    CHECK(rt.stats().started == 0);
    CHECK(rt.stats().workers == rt.threads());
    rt.launch(spawns, 100).get();
    rt.drain();
    CHECK(rt.stats().started == 101);
    CHECK(rt.stats().over == 101);
    CHECK(rt.stats().alive() == 0);
    CHECK(rt.stats().resumed >= 1);
    CHECK(rt.stats().retried == 0);
    std::atomic<int> left = 4;
    rt.launch(retries, left).get();
    rt.drain();
    CHECK(rt.stats().started == 103);
    CHECK(rt.stats().retried == 4);
    hel::event e;
    auto waiting = rt.launch(waits, e);
    CHECK(!waiting.wait_for(1ms));
    CHECK(rt.stats().alive() == 1);
    e.set();
    waiting.get();
    auto sleeping = rt.launch(sleeps);
    while (rt.stats().timers == 0) sleeping.poll();
    CHECK(rt.stats().timers == 1);
    sleeping.get();
    CHECK(rt.stats().timers == 0);
    rt.drain();
    CHECK(rt.stats().ready == 0);
  }
}

TEST_CASE("stolen tasks, sleeps, and tasks that run where they are spawned are counted") {
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  std::atomic<int> here = 0;
  rt.launch(needs_two, here).get();
  CHECK(rt.stats().stolen >= 1);
  while (rt.stats().slept < 2) std::this_thread::sleep_for(1ms);
  hel::runtime one(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  one.launch(spawns_many, 5000).get();
  CHECK(one.stats().run_inline > 3000);
  CHECK(one.stats().stolen == 0);
}

TEST_CASE("what runs, is ready, and is suspended") {
  hel::event e;
  std::atomic<bool> seen = false;
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  auto app = rt.launch(spawns_into, e, 20, seen);
  while (rt.stats().ready < 20) std::this_thread::yield();
  hel::statistics s = rt.stats();
  CHECK(s.running == 1);
  CHECK(s.worker_queues == std::vector<std::uint64_t>{20});
  CHECK(s.shared_queue == 0);
  CHECK(s.suspended() == 0);
  auto other = rt.launch(nothing);
  CHECK(rt.stats().shared_queue == 1);
  auto urgent = rt.launch(hel::priority::high, nothing);
  CHECK(rt.stats().urgent_queue == 1);
  CHECK(rt.stats().ready == 22);
  seen = true;
  other.get();
  urgent.get();
  while (rt.stats().running != 0) std::this_thread::yield();
  s = rt.stats();
  CHECK(s.ready == 0);
  CHECK(s.suspended() == 21);
  CHECK(s.alive() == 21);
  e.set();
  app.get();
}

TEST_CASE("host calls under way, and mailboxes") {
  for (const hel::cpu& settings : all_and_divided()) {
    if (settings.executor == hel::executor::deterministic) continue;  // there the calling thread makes the calls
    std::atomic<bool> go = false;
    hel::event e;
    hel::runtime rt(settings);
    CHECK(rt.stats().services.empty());
    auto s = rt.start_service<slow>({.capacity = 3}, &e);
    auto idle = rt.start_service<slow>({}, &e);
    auto call = rt.launch(asks_host, go), other = rt.launch(asks_host, go), third = rt.launch(asks_host, go);
    while (rt.stats().host_calls < 3) std::this_thread::yield();
    auto app = rt.launch(posts, s, 6);
    while (rt.stats().services.at(0).waiting < 4) std::this_thread::yield();
    const hel::statistics now = rt.stats();
    CHECK(now.host_calls == 3);
    REQUIRE(now.services.size() == 2);
    CHECK(now.services[0].waiting == 4);  // three in the mailbox, one for whom it is full
    CHECK(now.services[0].active == 1);
    CHECK(now.services[0].capacity == 3);
    CHECK(now.services[1].waiting == 0);
    CHECK(now.services[1].active == 0);
    CHECK(now.services[1].capacity == 64);
    go = true;
    e.set();
    CHECK(call.get() + other.get() + third.get() == 3);
    app.get();
    rt.drain();
    CHECK(rt.stats().host_calls == 0);
    CHECK(rt.stats().services[0].waiting == 0);
  }
}

TEST_CASE("the memory of frames") {
  hel::event e;
  std::atomic<bool> seen = true;
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .frame_limit = std::size_t{1} << 24});
  CHECK(rt.stats().frame_limit == std::size_t{1} << 24);
  const std::uint64_t before = rt.stats().frame_bytes;
  auto app = rt.launch(spawns_into, e, 2000, seen);
  while (rt.stats().suspended() < 2001) std::this_thread::yield();
  const hel::statistics full = rt.stats();
  CHECK(full.frame_bytes >= before + 2000 * 64);
  e.set();
  app.get();
  const auto all_asleep = [&rt] {
    const std::uint64_t slept = rt.stats().slept;
    std::this_thread::sleep_for(5ms);
    return rt.stats().running == 0 && rt.stats().slept == slept;
  };
  while (!all_asleep()) std::this_thread::yield();
  const hel::statistics after = rt.stats();
  CHECK(after.frame_bytes < full.frame_bytes - 2000 * 64);
#if !defined(HEL_ASAN) && !defined(HEL_TSAN)
  CHECK(after.frame_bytes_kept > 0);
  CHECK(after.frame_bytes_reserved >= full.frame_bytes);
#endif
}

TEST_CASE("statistics as a table, and at the end of a runtime when they are asked for") {
  const std::string table = hel::to_string(hel::statistics{.started = 12,
                                                           .over = 7,
                                                           .stolen = 3,
                                                           .ready = 1,
                                                           .running = 2,
                                                           .host_calls = 6,
                                                           .workers = 4,
                                                           .worker_queues = {3, 8, 1},
                                                           .frame_bytes = 1234,
                                                           .frame_limit = 4321,
                                                           .services = {{9, 1, 64}}});
  CHECK(table.find("hel: 4 workers\n") == 0);
  CHECK(table.find("tasks alive                                       5\n") != std::string::npos);
  CHECK(table.find("tasks suspended                                   2\n") != std::string::npos);
  CHECK(table.find("in the longest queue of a worker                  8\n") != std::string::npos);
  CHECK(table.find("host calls under way                              6\n") != std::string::npos);
  CHECK(table.find("bytes of frames in use                         1234\n") != std::string::npos);
  CHECK(table.find("limit of bytes of frames                       4321\n") != std::string::npos);
  CHECK(table.find("service 1: requests waiting                       9\n") != std::string::npos);
  CHECK(table.find("stolen from another worker                        3\n") != std::string::npos);
  for (const char* value : {"0", "1"}) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const int old = dup(2);
    dup2(ends[1], 2);
    close(ends[1]);
    setenv("HEL_STATS", value, 1);
    {
      hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
      rt.launch(spawns, 9).get();
    }
    unsetenv("HEL_STATS");
    dup2(old, 2);
    close(old);
    char text[4000];
    const ssize_t n = read(ends[0], text, sizeof text);
    close(ends[0]);
    const std::string printed(text, n > 0 ? static_cast<std::size_t>(n) : 0);
    CHECK((printed.find("tasks started                                    10\n") != std::string::npos) ==
          (*value == '1'));
  }
}

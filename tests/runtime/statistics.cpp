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

TEST_CASE("statistics as a table, and at the end of a runtime when they are asked for") {
  const std::string table = hel::to_string(hel::statistics{.started = 12, .over = 7, .stolen = 3, .workers = 4});
  CHECK(table.find("hel: 4 workers\n") == 0);
  CHECK(table.find("tasks alive                                       5\n") != std::string::npos);
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
    char text[2000];
    const ssize_t n = read(ends[0], text, sizeof text);
    close(ends[0]);
    const std::string printed(text, n > 0 ? static_cast<std::size_t>(n) : 0);
    CHECK((printed.find("tasks started                                    10\n") != std::string::npos) ==
          (*value == '1'));
  }
}

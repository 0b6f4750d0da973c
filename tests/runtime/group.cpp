// Groups of lanes that do not end well: lanes that part ways, fail, throw, are cancelled.
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>

#include "support.hpp"

using namespace std::chrono_literals;

namespace {

// ---- lanes that part ways

enum class split {
  barrier_and_end,
  barrier_and_await,
  two_barriers,
  two_places,
  warp_barrier,
  warp_operations,
  shuffle_sizes,
  await_and_end,
  two_awaits,
  caught,
};
hel::block_task<> parts(split how, std::vector<std::string>& log) {
  logged local(log, "lane");
  const unsigned me = hel::thread_rank();
  co_await hel::yield();
  const bool low = me < 40;
  switch (how) {
  case split::barrier_and_end:
    if (low) hel::block_sync();  // line 37
    break;
  case split::barrier_and_await:
    if (low)
      hel::block_sync();  // line 41
    else
      co_await hel::yield();  // line 43
    break;
  case split::two_barriers:
    if (low)
      hel::block_sync();  // line 47
    else
      hel::block_sync_count(true);  // line 49
    break;
  case split::two_places:
    if (low)
      hel::block_sync();  // line 53
    else
      hel::block_sync();  // line 55
    break;
  case split::warp_barrier:
    if (me != 70) hel::warp_sync();  // line 58
    hel::block_sync();               // line 59
    break;
  case split::warp_operations:
    if (me % 2 == 0)
      hel::ballot(true);  // line 63
    else
      hel::warp_sync();  // line 65
    break;
  case split::shuffle_sizes:
    if (me % 32 < 16)
      hel::shfl(1, 0);  // line 69
    else
      hel::shfl(1L, 0);  // line 71
    break;
  case split::await_and_end:
    if (!low) co_await hel::yield();  // line 74
    break;
  case split::two_awaits:
    if (low)
      co_await hel::yield();  // line 78
    else
      co_await hel::yield();  // line 80
    break;
  case split::caught:
    if (!low) break;
    for (int i = 0; i < 3; ++i) {
      try {
        hel::block_sync();  // line 86
      } catch (...) {       // the lane is unwound, but goes on for a while
      }
    }
    break;
  }
}
hel::task<int> run_parts(split how, std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(hel::block(100, parts, how, std::ref(log)));
  co_return r ? 0 : r.error().code;
}

struct expectation {
  split how;
  std::vector<std::string> lines;
};

hel::warp_task<> warp_parts() {
  if (hel::lane() % 5 == 0) hel::warp_sync();  // line 104
  co_return;
}
hel::task<int> run_warp_parts() {
  auto r = co_await hel::as_expected(hel::warp(warp_parts));
  co_return r ? 0 : r.error().code;
}
hel::task<> run_unexpected() { co_await hel::warp(warp_parts); }

// ---- lanes that fail or throw

enum class meanwhile { nothing, barrier, warp_barrier, suspension };
hel::block_task<> inner(unsigned from) {
  if (hel::thread_rank() >= from) co_await hel::fail(1000 + static_cast<int>(hel::thread_rank()));
  co_return;
}
hel::block_task<int> fails(meanwhile others, std::vector<std::string>& log) {
  logged local(log, "lane");
  if (hel::thread_rank() == 77 || hel::thread_rank() == 78) co_await inner(5);
  if (others == meanwhile::barrier) hel::block_sync();
  if (others == meanwhile::warp_barrier) hel::warp_sync();
  if (others == meanwhile::suspension) co_await hel::yield();
  co_return 1;
}
hel::task<int> run_fails(meanwhile others, std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(hel::block(100, fails, others, std::ref(log)));
  co_return r ? 0 : r.error().code;
}
hel::block_task<int> throws(meanwhile others, std::vector<std::string>& log) {
  logged local(log, "lane");
  if (hel::thread_rank() == 77 || hel::thread_rank() == 78)
    throw std::runtime_error("lane " + std::to_string(hel::thread_rank()));
  if (others == meanwhile::barrier) hel::block_sync();
  if (others == meanwhile::warp_barrier) hel::warp_sync();
  if (others == meanwhile::suspension) co_await hel::yield();
  co_return 1;
}
hel::task<int> run_throws(meanwhile others, std::vector<std::string>& log) {
  co_return co_await hel::block(100, throws, others, std::ref(log));
}
hel::block_task<int> expects() {
  auto r = co_await hel::as_expected(inner(90));
  co_return static_cast<int>(hel::block_sync_count(!r));
}
hel::task<int> run_expects() { co_return co_await hel::block(100, expects); }

hel::task<int> fails_plain() {
  co_await hel::yield();
  co_await hel::fail(55);
  co_return 1;
}
hel::block_task<int> awaits_failing(std::vector<std::string>& log) {
  logged local(log, "lane");
  auto spawned = hel::thread_rank() == 0 ? hel::spawn(fails_plain) : hel::join_handle<int>();
  auto r = co_await hel::as_expected(spawned);
  if (r || r.error().code != 55) co_return 0;
  auto e = co_await hel::as_expected(fails_plain());
  if (e || e.error().code != 55) co_return 0;
  co_return co_await fails_plain();
}
hel::task<int> run_awaits_failing(std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(hel::block(40, awaits_failing, std::ref(log)));
  co_return r ? 0 : r.error().code;
}

// An argument that cannot be copied for some lane.
struct fragile {
  explicit fragile(int n) : copies(std::make_shared<int>(n)) {}
  fragile(const fragile& o) : copies(o.copies) {
    if (--*copies < 0) throw std::runtime_error("no more copies");
  }
  std::shared_ptr<int> copies;
};
hel::block_task<int> takes(fragile) { co_return 1; }
hel::task<int> run_fragile() { co_return co_await hel::block(40, takes, fragile(20)); }

// ---- no memory for the stacks

hel::block_task<> many_stacks(std::vector<std::string>& log) {
  logged local(log, "lane");
  hel::block_sync();
  co_return;
}
hel::task<int> run_many_stacks(unsigned n, std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(hel::block(n, many_stacks, std::ref(log)));
  co_return r ? 0 : r.error().code;
}
std::size_t address_space() {
  long pages = 0;
  std::FILE* f = std::fopen("/proc/self/statm", "r");
  if (!f || std::fscanf(f, "%ld", &pages) != 1) pages = 0;
  if (f) std::fclose(f);
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

// ---- cancellation

enum class waits { yields, sleeps, receives, joins, calls, catches, blocks };
using shared_channel = std::shared_ptr<hel::channel<int>>;
hel::task<int> receives(shared_channel ch) {
  auto r = co_await ch->receive();
  co_return r ? 1 : 0;
}
hel::task<int> sleeps_long() {
  co_await hel::sleep_for(1h);
  co_return 1;
}
hel::block_task<int> sleeping_block() {
  co_await hel::sleep_for(1h);
  co_return 1;
}
hel::block_task<int> suspended(waits how, shared_channel ch, std::atomic<int>& there, std::vector<std::string>& log) {
  logged local(log, "lane");
  if (hel::thread_rank() == 0) there.store(1);
  hel::join_handle<int> h;
  switch (how) {
  case waits::yields:
    for (;;) co_await hel::yield();
  case waits::sleeps: co_await hel::sleep_for(1h); break;
  case waits::receives: co_await ch->receive(); break;
  case waits::joins:
    if (hel::thread_rank() == 0) h = hel::spawn(receives, ch);
    co_await h;
    break;
  case waits::calls: co_await sleeps_long(); break;
  case waits::catches:
    co_await hel::as_expected(sleeps_long());
    co_await hel::yield();  // the next suspension
    break;
  case waits::blocks: co_await hel::block(33, sleeping_block); break;
  }
  log.clear();  // never
  co_return 1;
}
hel::task<int> awaits_suspended(waits how, shared_channel ch, std::atomic<int>& there, std::vector<std::string>& log) {
  co_return co_await hel::block(40, suspended, how, ch, std::ref(there), std::ref(log));
}
hel::task<int> run_cancel(waits how, std::vector<std::string>& log) {
  auto ch = std::make_shared<hel::channel<int>>(1);
  std::atomic<int> there = 0;
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), awaits_suspended, how, ch, there, log);
  while (there.load() == 0) co_await hel::yield();
  for (int i = 0; i < 3; ++i) co_await hel::yield();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  ch->close();
  co_return r ? 0 : r.error().code;
}
hel::task<int> soon() {
  co_await hel::yield();
  co_return 3;
}
hel::task<int> waits_in_block() { co_return co_await hel::block(40, sleeping_block); }
hel::task<int> run_any() {
  auto r = co_await hel::when_any(waits_in_block(), soon());
  co_return static_cast<int>(r.index);
}

// ---- a service that calls itself by way of a group

struct ask {
  void* service;  // the echo's own handle
};
struct echo {
  hel::task<int> handle(ask a);
};
hel::warp_task<int> asks(ask a) { co_return co_await static_cast<hel::service<echo>*>(a.service)->call(a); }
hel::task<int> echo::handle(ask a) { co_return co_await hel::warp(asks, a); }
hel::task<int> call_service(hel::service<echo> s) {
  auto r = co_await hel::as_expected(s.call(ask{&s}));
  co_return r ? 0 : r.error().code;
}

}  // namespace

TEST_CASE("lanes that part ways are reported with task, lines and lanes, and the group fails") {
  const std::vector<expectation> all{
      {split::barrier_and_end, {"block_sync at", ":37: lanes 0-39", "finished: lanes 40-99"}},
      {split::barrier_and_await, {"block_sync at", ":41: lanes 0-39", "co_await at", ":43: lanes 40-99"}},
      {split::two_barriers, {":47: lanes 0-39", "block_sync_count at", ":49: lanes 40-99"}},
      {split::two_places, {":53: lanes 0-39", ":55: lanes 40-99"}},
      {split::warp_barrier, {"block_sync at", ":59: lanes 0-63,70,96-99", "warp_sync at", ":58: lanes 64-69,71-95"}},
      {split::warp_operations, {"ballot at", ":63: lanes 0,2,4,", "warp_sync at", ":65: lanes 1,3,5,"}},
      {split::shuffle_sizes,
       {"shuffle at", ":69: lanes 0-15,32-47,64-79", ":71: lanes 16-31,48-63,80-95", "finished: lanes 96-99"}},
      {split::await_and_end, {"finished: lanes 0-39", ":74: lanes 40-99"}},
      {split::two_awaits, {":78: lanes 0-39", ":80: lanes 40-99"}},
      {split::caught, {":86: lanes 0-39", "finished: lanes 40-99"}},
  };
  for (const expectation& e : all) {
    CAPTURE(static_cast<int>(e.how));
    for (const hel::cpu& settings : all_executors()) {
      std::vector<std::string> log;
      std::string text;
      {
        captured_stderr err;
        hel::runtime rt(settings);
        CHECK(rt.launch(run_parts, e.how, log).get() == static_cast<int>(hel::errc::divergent_suspension));
        text = err.text();
      }
      CHECK(log.size() == 100);
      CAPTURE(text);
      CHECK(text.find("parts") != std::string::npos);
      CHECK(text.find("block of 100 lanes") != std::string::npos);
      for (const std::string& line : e.lines) {
        CAPTURE(line);
        CHECK(text.find(line) != std::string::npos);
      }
    }
  }
}

TEST_CASE("the report names the lanes of a warp") {
  captured_stderr err;
  hel::runtime rt;
  CHECK(rt.launch(run_warp_parts).get() == static_cast<int>(hel::errc::divergent_suspension));
  auto r = rt.launch(run_unexpected).get_expected();
  CHECK(!r);
  CHECK(r.error() == hel::errc::divergent_suspension);
  const std::string text = err.text();
  CAPTURE(text);
  CHECK(text.find("warp_parts") != std::string::npos);
  CHECK(text.find("warp of 32 lanes") != std::string::npos);
  CHECK(text.find(":104: lanes 0,5,10,15,20,25,30\n") != std::string::npos);
  CHECK(text.find("finished: lanes 1-4,6-9,11-14,16-19,21-24,26-29,31\n") != std::string::npos);
}

TEST_CASE("a lane that fails or throws ends its group, whatever the others wait for") {
  for (meanwhile others : {meanwhile::nothing, meanwhile::barrier, meanwhile::warp_barrier, meanwhile::suspension}) {
    CAPTURE(static_cast<int>(others));
    for (const hel::cpu& settings : all_executors()) {
      captured_stderr err;
      std::vector<std::string> log;
      hel::runtime rt(settings);
      CHECK(rt.launch(run_fails, others, log).get() == 1077);
      CHECK(log.size() == 100);
      CHECK_THROWS_WITH(rt.launch(run_throws, others, log).get(), "lane 77");
      CHECK(log.size() == 200);
      CHECK(err.text() == "");
    }
  }
}

TEST_CASE("failures within a group") {
  on_all_executors([](int r) { CHECK(r == 10); }, run_expects);
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    CHECK(rt.launch(run_awaits_failing, log).get() == 55);
    CHECK(log.size() == 40);
    CHECK_THROWS_WITH(rt.launch(run_fragile).get(), "no more copies");
  }
}

TEST_CASE("a group is cancelled where it is suspended, in all lanes") {
  for (waits how :
       {waits::yields, waits::sleeps, waits::receives, waits::joins, waits::calls, waits::catches, waits::blocks}) {
    CAPTURE(static_cast<int>(how));
    for (const hel::cpu& settings : all_executors()) {
      std::vector<std::string> log;
      hel::runtime rt(settings);
      CHECK(rt.launch(run_cancel, how, log).get() == static_cast<int>(hel::errc::cancelled));
      CHECK(log.size() == 40);
    }
  }
  on_all_executors([](int index) { CHECK(index == 1); }, run_any);
}

TEST_CASE("a service that calls itself by way of a group is told so") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    CHECK(rt.launch(call_service, rt.start_service<echo>()).get() == static_cast<int>(hel::errc::call_cycle));
  }
}

#if !defined(HEL_ASAN) && !defined(HEL_TSAN)  // which need more address space than there is memory
TEST_CASE("a group for whose stacks there is no memory fails, and others go on") {
  hel::runtime rt(hel::cpu{.threads = 1});
  std::vector<std::string> log;
  log.reserve(4096);
  CHECK(rt.launch(run_many_stacks, 32u, log).get() == 0);
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlimit little = before;
  little.rlim_cur = address_space() + (16u << 20);
  REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
  const int failed = rt.launch(run_many_stacks, 1024u, log).get();
  const int small = rt.launch(run_many_stacks, 32u, log).get();
  REQUIRE(setrlimit(RLIMIT_AS, &before) == 0);
  CHECK(failed == static_cast<int>(hel::errc::out_of_frames));
  CHECK(small == 0);
  const std::size_t unwound = log.size();
  CHECK(unwound > 2 * 32);
  CHECK(unwound < 1024);
  CHECK(rt.launch(run_many_stacks, 1024u, log).get() == 0);
  CHECK(log.size() == unwound + 1024);
}
#endif

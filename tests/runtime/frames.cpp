// A limit of frame memory: children run at once, then there are errors, never a hang, and all of it comes back.
#include <atomic>
#include <chrono>
#include <thread>

#include "support.hpp"

namespace {

constexpr int out_of_frames = static_cast<int>(hel::errc::out_of_frames);
constexpr std::size_t limit = 1u << 20;

// In parallel with any limit that has room for its depth.
hel::task<long> fib(int n) {
  if (n < 2) co_return n;
  auto a = hel::spawn(fib, n - 1);
  long b = co_await fib(n - 2);
  co_return b + co_await a;
}

hel::task<> counts(std::atomic<int>& n) {
  ++n;
  co_return;
}
hel::task<int> many_detached(int n) {
  std::atomic<int> ran = 0;
  int refused = 0;
  for (int i = 0; i < n; ++i) {
    auto h = hel::spawn(counts, ran);
    if (!h.done()) continue;  // detached
    auto r = co_await hel::as_expected(h);
    refused += !r;
  }
  while (ran + refused < n) co_await hel::yield();
  co_return ran;
}

hel::task<> waits(hel::event& e) { co_await e.wait(); }
struct tally {
  int waited, refused, wrong;
};
// Each that waits keeps its frame.
hel::task<tally> many_waiting(int n) {
  hel::event e;
  std::vector<hel::join_handle<void>> all;
  for (int i = 0; i < n; ++i) all.push_back(hel::spawn(waits, e));
  e.set();
  tally t{};
  for (auto& h : all) {
    auto r = co_await hel::as_expected(h);
    ++(r ? t.waited : r.error().code == out_of_frames ? t.refused : t.wrong);
  }
  co_return t;
}

hel::task<int> deep(std::vector<std::string>& log, int n) {
  if (n == 3) {
    logged local(log, "third");
    co_return co_await deep(log, n + 1);
  }
  co_return n < 10000000 ? 1 + co_await deep(log, n + 1) : 0;
}
hel::task<int> too_deep(std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(deep(log, 0));
  co_return r ? 0 : r.error().code;
}
// A handle that holds the error fails who joins it, and is over for who depends on it.
hel::task<int> joins_refused() {
  hel::event e;
  std::vector<hel::join_handle<void>> all;
  while (all.empty() || !all.back().done()) all.push_back(hel::spawn(waits, e));
  e.set();
  auto last = std::move(all.back());
  all.pop_back();
  for (auto& h : all) co_await h;
  co_await last;  // fails
  co_return 0;
}
// What a callable refers to is released.
hel::task<bool> releases_callables() {
  auto held = std::make_shared<int>(1);
  hel::event e;
  {
    std::vector<hel::join_handle<void>> all;
    for (int i = 0; i < 20000; ++i) all.push_back(hel::spawn([held, &e] { return waits(e); }));
    e.set();
    for (auto& h : all) (void)co_await hel::as_expected(h);
  }
  co_return held.use_count() == 1;
}
hel::task<int> batch_of_waiting(int n) {
  hel::event e;
  std::atomic<int> called = 0;
  auto b = hel::spawn_batch(static_cast<std::size_t>(n), [&](std::size_t) {
    ++called;
    return waits(e);
  });
  while (called < n) co_await hel::yield();
  e.set();
  auto r = co_await hel::as_expected(b);
  co_return r ? 0 : r.error().code;
}

std::vector<hel::cpu> limited() {
  std::vector<hel::cpu> all = all_executors();
  for (hel::cpu& s : all) s.frame_limit = limit;
  return all;
}

// At once where one thread runs everything; of several, one that has just run out of work may be about to give back what
// it has kept.
bool enough_again(hel::runtime& rt) {
  const int most_tries = rt.threads() > 1 ? 2000 : 1;
  for (int tries = 0; tries < most_tries; ++tries) {
    const auto r = rt.launch(fib, 16).get_expected();
    if (r) return *r == 987;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

}  // namespace

TEST_CASE("a limit that is large enough is not noticed") {
  for (const hel::cpu& settings : limited()) {
    hel::runtime rt(settings);
    CHECK(enough_again(rt));
  }
}

TEST_CASE("with little memory, tasks that do not wait run at once") {
  for (unsigned threads : {1u, 2u, 4u}) {
    hel::runtime rt(hel::cpu{.threads = threads, .executor = hel::executor::threads, .frame_limit = 128u << 10});
    CHECK(rt.launch(many_detached, 100000).get() == 100000);
    CHECK(rt.launch(fib, 18).get() == 2584);
  }
}

TEST_CASE("tasks that wait fill the memory; the handles of the others hold the error") {
  for (const hel::cpu& settings : limited()) {
    hel::runtime rt(settings);
    for (int round = 0; round < 2; ++round) {
      const tally t = rt.launch(many_waiting, 20000).get();
      CHECK(t.waited > 1000);
      CHECK(t.refused > 1000);
      CHECK(t.waited + t.refused == 20000);
      CHECK(t.wrong == 0);
    }
    CHECK(enough_again(rt));
    CHECK(rt.launch(joins_refused).get_expected().error().code == out_of_frames);
    CHECK(rt.launch(releases_callables).get());
    CHECK(rt.launch(batch_of_waiting, 20000).get() == out_of_frames);
    CHECK(enough_again(rt));
  }
}

TEST_CASE("a call without a frame fails the task that calls") {
  for (const hel::cpu& settings : limited()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    CHECK(rt.launch(too_deep, log).get() == out_of_frames);
    CHECK(log == std::vector<std::string>{"third"});
    CHECK(enough_again(rt));
  }
}

TEST_CASE("the limit goes with the runtime") {
  { hel::runtime rt(hel::cpu{.threads = 1, .frame_limit = 1}); }
  hel::runtime rt(hel::cpu{.threads = 1});
  const tally t = rt.launch(many_waiting, 20000).get();
  CHECK(t.waited == 20000);
}

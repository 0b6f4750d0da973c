// The watchdog: who waits for what when nothing gets on; deadlocks as exceptions; what it costs nobody.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "hel/abi/frame_info.hpp"
#include "hel/cpu/task_table.hpp"
#include "hel/deadlock.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
constexpr auto limit = 100ms;

const hel::cpu raising{
    .threads = 2, .executor = hel::executor::threads, .watchdog = limit, .deadlock = hel::on_deadlock::raise};

bool lowered() { return hel::abi::frame_registrar::head != nullptr; }
bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

// What is written to standard error while it lives.
class captured_errors {
 public:
  captured_errors() : old_(dup(2)) {
    REQUIRE(pipe2(ends_, O_NONBLOCK) == 0);
    dup2(ends_[1], 2);
  }
  ~captured_errors() {
    dup2(old_, 2);
    close(old_);
    close(ends_[0]);
    close(ends_[1]);
  }
  const std::string& text() {
    char part[4096];
    for (ssize_t n; (n = read(ends_[0], part, sizeof part)) > 0;) text_.append(part, static_cast<std::size_t>(n));
    return text_;
  }
  // Whether it comes; a machine may be slow.
  bool comes(const std::string& part) {
    for (int i = 0; i < 6000 && !contains(text(), part); ++i) std::this_thread::sleep_for(10ms);
    return contains(text_, part);
  }

 private:
  int ends_[2], old_;
  std::string text_;
};

struct world {
  hel::event never;
  hel::channel<int> empty{1}, full{0};
  hel::ticket_issuer issuer;
};
int event_line = 0;

hel::task<int> waits_for_event(world& w) {
  event_line = __LINE__ + 1;
  co_await w.never.wait();
  co_return 1;
}
hel::task<int> calls(world& w) { co_return co_await waits_for_event(w); }
hel::task<int> receives(world& w) {
  auto v = co_await w.empty.receive();
  co_return v ? *v : 0;
}
hel::task<int> sends(world& w) {
  co_await w.full.send(1);
  co_return 1;
}
hel::task<int> waits_for_ticket(world& w) {
  auto t = w.issuer.ticket();
  co_await t.wait();
  co_return 1;
}
hel::task<int> starts_later(world&) { co_return 1; }
hel::task<int> everybody_waits(world& w) {
  auto a = hel::spawn(calls, w), b = hel::spawn(receives, w), c = hel::spawn(sends, w);
  auto d = hel::spawn(waits_for_ticket, w);
  auto e = hel::spawn_after(a, starts_later, w);
  auto never_started = starts_later(w);
  int sum = co_await d;
  sum += co_await a + co_await b + co_await c + co_await e + co_await never_started;
  co_return sum;
}
void release(world& w) {
  w.never.set();
  w.issuer.complete();
  w.empty.close();
  w.full.close();
}
void check_list(const std::string& lines) {
  const std::string text = lines + "\n";
  CAPTURE(text);
  CHECK(contains(text, "not over"));
  CHECK(contains(text, " waits for event 1\n"));
  CHECK(contains(text, " waits for a value from channel 1\n"));
  CHECK(contains(text, " waits for room in channel 2\n"));
  CHECK(contains(text, " waits for ticket 1\n"));
  CHECK(contains(text, " waits for what it was spawned after\n"));
  CHECK(contains(text, " has not been started\n"));
  CHECK(count(text, " waits for task ") == 2);  // everybody_waits joins, calls has called
  CHECK(count(text, "  task ") == 8);
  if (lowered()) {
    CHECK(contains(text, "waits_for_event ("));
    CHECK(contains(text, "watchdog.cpp:" + std::to_string(event_line) + ") waits for event 1\n"));
    CHECK(contains(text, "starts_later ("));
  } else {
    CHECK(count(text, ": task ") == 8);
  }
}

hel::task<> sleeps(std::chrono::milliseconds t) { co_await hel::sleep_for(t); }
hel::task<int> calls_host(std::atomic<bool>& go) {
  co_return co_await hel::host([&go] {
    while (!go) std::this_thread::sleep_for(1ms);
    return 5;
  });
}
hel::task<> spins(std::atomic<bool>& go) {
  while (!go) std::this_thread::yield();
  co_return;
}
hel::task<> spawns_spinning(std::atomic<bool>& go) {
  auto h = hel::spawn(spins, go);
  co_await h;
}
hel::task<> counts_down(int n) {  // one step after the other, in one turn
  if (n > 0) co_await counts_down(n - 1);
  std::this_thread::sleep_for(2ms);
}

// Tasks of every kind, which end in every way.
hel::task<long> fib(long n) {
  if (n < 2) co_return n;
  auto h = hel::spawn(fib, n - 1);
  long b = co_await fib(n - 2);
  co_return b + co_await h;
}
hel::task<int> fails(int code) {
  co_await hel::yield();
  co_await hel::fail(code);
  co_return 0;
}
hel::task<int> fails_at_end(int code) { co_return hel::fail(code); }
hel::task<int> throws() {
  co_await hel::yield();
  throw std::runtime_error("thrown");
}
hel::task<int> one(int n) {
  co_await hel::yield();
  co_return n;
}
hel::task<int> sleeps_then_one() {
  co_await hel::sleep_for(1h);
  co_return 1;
}
hel::task<int> at_once(std::size_t n) { co_return static_cast<int>(n); }
hel::task<> sends_all(hel::channel<int>& c, int n) {
  for (int i = 0; i < n; ++i) co_await c.send(i);
  c.close();
}
hel::task<> many(int n) {
  std::vector<hel::join_handle<int>> all;
  for (int i = 0; i < n; ++i) all.push_back(hel::spawn(at_once, 1u));
  for (auto& h : all) co_await h;
}
struct ask {
  int n;
};
struct answers {
  hel::task<int> handle(ask a) {
    co_await hel::yield();
    co_return a.n;
  }
};
hel::warp_task<int> lanes() {
  int n = co_await hel::host([] { return 1; });
  co_return n + hel::shfl(1, 0);
}
hel::task<long> all_kinds(hel::service<answers> s) {
  long sum = co_await fib(12);
  auto f = hel::spawn(fails, 3), g = hel::spawn(fails_at_end, 4);
  auto rf = co_await hel::as_expected(f), rg = co_await hel::as_expected(g);
  auto rh = co_await hel::as_expected(fails(5));
  sum += rf.error().code + rg.error().code + rh.error().code;
  auto t = hel::spawn(throws);
  try {
    co_await t;
  } catch (const std::runtime_error&) {
    ++sum;
  }
  auto r = hel::spawn(hel::retry{.max_attempts = 3}, fails_at_end, 6);
  auto rr = co_await hel::as_expected(r);
  sum += static_cast<long>(rr.error().attempts);
  auto b = hel::spawn_batch(1000, at_once);
  sum += static_cast<long>((co_await b).size());
  auto [x, y] = co_await hel::when_all(one(1), one(2));
  auto any = co_await hel::when_any(one(1), sleeps_then_one());
  sum += x + y + *any.value;
  auto before = hel::spawn(one, 1);
  auto after = hel::spawn_after(before, one, 2);
  sum += co_await after;
  hel::channel<int> c(4);
  auto sender = hel::spawn(sends_all, c, 100);
  for (;;) {
    auto v = co_await c.receive();
    if (!v) break;
    sum += *v;
  }
  co_await sender;
  sum += co_await s.call(ask{7});
  sum += co_await hel::host([] { return 8; });
  sum += co_await hel::warp(lanes);
  co_await many(3000);
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), sleeps, std::chrono::milliseconds(3600000));
  source.cancel();
  auto rc = co_await hel::as_expected(h);
  auto urgent = hel::spawn(hel::priority::high, one, 1);
  co_return sum + (rc ? 0 : 1) + co_await urgent;
}

struct environment {
  environment(const char* name, const char* value) : name(name) { setenv(name, value, 1); }
  ~environment() { unsetenv(name); }
  const char* name;
};

}  // namespace

TEST_CASE("a deadlock is thrown to whoever waits, with a line for each task, and may be resolved") {
  for (const bool deterministic : {false, true}) {
    captured_errors errors;
    world w;
    hel::cpu settings = raising;
    if (deterministic) settings.executor = hel::executor::deterministic;
    hel::runtime rt(settings);
    auto app = rt.launch(everybody_waits, w);
    std::string what;
    try {
      app.get();
    } catch (const hel::deadlock& d) {
      what = d.what();
      CHECK(d.tasks() == 6);
    }
    check_list(what);
    CHECK(contains(what, "deadlock: no task is ready, and 6 spawned or launched tasks are not over\n"));
    CHECK_THROWS_AS(app.wait(), hel::deadlock);
    CHECK_THROWS_AS(rt.drain(), hel::deadlock);
    CHECK_THROWS_AS(rt.stop(), hel::deadlock);
    CHECK(!app.wait_for(1ms));
    release(w);
    CHECK(app.get() == 5);
    rt.stop();
    CHECK(contains(errors.text(), "a deadlock, unless") != deterministic);
  }
}

TEST_CASE("without exceptions the report is written once") {
  captured_errors errors;
  world w;
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .watchdog = limit});
  auto app = rt.launch(everybody_waits, w);
  CHECK(errors.comes("not over\n"));
  CHECK(!app.wait_for(limit * 4));
  release(w);
  CHECK(app.get() == 5);
  const std::string text = errors.text();
  CAPTURE(text);
  CHECK(count(text, "hel: watchdog: nothing has happened for 0.1 s, and 6 tasks that were launched or spawned are not "
                    "over\n  a deadlock, unless") == 1);
  check_list(text);
}

TEST_CASE("a worker that is held by one task") {
  captured_errors errors;
  std::atomic<bool> go = false;
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .watchdog = limit});
  auto app = rt.launch(spawns_spinning, go);
  CHECK(errors.comes("without a suspension\n"));
  CHECK(!app.wait_for(limit * 4));
  go = true;
  app.get();
  const std::string text = errors.text();
  CAPTURE(text);
  CHECK(count(text, "hel: watchdog: ") == 1);
  CHECK(contains(text, " has run task 2 for 0.1 s without a suspension\n"));
  CHECK(contains(text, "  task 2: "));
  CHECK(contains(text, " runs on worker "));
  CHECK(contains(text, " waits for task 2\n"));
  if (lowered()) CHECK(contains(text, "spins ("));
}

TEST_CASE("timers and host calls are no deadlock, and what gets on is not reported") {
  captured_errors errors;
  hel::runtime rt(raising);
  std::atomic<bool> go = false;
  auto timer = rt.launch(hel::cancellable, sleeps, std::chrono::milliseconds(3600000));
  CHECK(errors.comes("1 timer set"));
  CHECK(!timer.wait_for(limit * 2));
  timer.cancel();
  CHECK(!timer.get_expected());
  auto call = rt.launch(calls_host, go);
  CHECK(errors.comes("1 host call under way"));
  go = true;
  CHECK(call.get() == 5);
  rt.launch(counts_down, 300).get();
  const std::string text = errors.text();
  CAPTURE(text);
  CHECK(!contains(text, "a deadlock, unless"));
  CHECK(!contains(text, "without a suspension"));
  CHECK(contains(text, "  0 ready, 1 timer set, 0 host calls under way\n"));
  CHECK(contains(text, "  0 ready, 0 timers set, 1 host call under way\n"));
  CHECK(contains(text, " waits for a timer\n"));
  CHECK(contains(text, " waits for a call on the host\n"));
}

TEST_CASE("programs run under a watchdog as without, and every task that ends is forgotten") {
  long expected = 0;
  {
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
    auto s = rt.start_service<answers>();
    expected = rt.launch(all_kinds, s).get();
    CHECK(hel::tasks().empty());
  }
  for (hel::cpu settings : all_and_divided()) {
    settings.watchdog = 60s;
    hel::runtime rt(settings);
    auto s = rt.start_service<answers>();
    for (int i = 0; i < 3; ++i) {
      CHECK(rt.launch(all_kinds, s).get() == expected);
      CHECK(rt.launch(hel::cancellable, all_kinds, s).get() == expected);
    }
    rt.drain();
    CHECK(rt.stats().alive() == 0);
    CHECK(hel::tasks().size() == 0);
  }
  CHECK(!hel::detail::tasks_recorded);
}

TEST_CASE("short of frames, children run at once under a watchdog, too") {
  hel::runtime rt(
      hel::cpu{.threads = 1, .executor = hel::executor::threads, .frame_limit = std::size_t{1} << 20, .watchdog = 60s});
  rt.launch(many, 100000).get();
  CHECK(rt.stats().run_inline > 50000);
}

TEST_CASE("the environment asks for a watchdog") {
  for (const char* wrong : {"-1", "ten", "1e12", "nan", "5s"}) {
    const environment e("HEL_WATCHDOG", wrong);
    CHECK_THROWS_AS(hel::runtime{}, std::invalid_argument);
  }
  CHECK_THROWS_AS(hel::runtime{hel::cpu{.watchdog = -1ms}}, std::invalid_argument);
  for (const char* value : {"0.1", "0", ""}) {
    const environment e("HEL_WATCHDOG", value);
    captured_errors errors;
    world w;
    hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
    CHECK(hel::detail::tasks_recorded == (*value != '\0' && value[1] != '\0'));
    auto app = rt.launch(everybody_waits, w);
    if (hel::detail::tasks_recorded) CHECK(errors.comes("a deadlock"));
    CHECK(!app.wait_for(limit * 2));
    CHECK(contains(errors.text(), "a deadlock") == hel::detail::tasks_recorded);
    release(w);
    app.get();
  }
}

TEST_CASE("beside a runtime without a watchdog, tasks are not listed") {
  captured_errors errors;
  world w;
  hel::runtime plain(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  hel::runtime rt(raising);
  auto app = rt.launch(everybody_waits, w);
  std::string what;
  try {
    app.get();
  } catch (const hel::deadlock& d) {
    what = d.what();
  }
  CHECK(what.ends_with("spawned or launched tasks are not over"));
  release(w);
  CHECK(app.get() == 5);
  CHECK(contains(errors.text(), "(tasks are not listed: "));
}

TEST_CASE("a runtime that ends in a deadlock leaves its tasks, and no records") {
  captured_errors errors;
  static world w;  // what waits in it is never woken
  {
    hel::runtime other(hel::cpu{.threads = 1, .executor = hel::executor::threads, .watchdog = 60s});
    {
      hel::runtime rt(raising);
      rt.launch(receives, w).wait_for(1ms);
    }
    CHECK(hel::tasks().empty());
  }
  CHECK(contains(errors.text(),
                 "hel: deadlock: no task is ready, and 1 spawned or launched tasks are not over\n  task "));
}

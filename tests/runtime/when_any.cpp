// when_any: the first result, failure or exception; what becomes of the others; cancellation; races.
#include <atomic>
#include <memory>
#include <stdexcept>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using log_type = std::vector<std::string>;
constexpr int cancelled = static_cast<int>(hel::errc::cancelled);

hel::task<int> number(int n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  co_return n;
}
hel::task<int> sleeps(std::chrono::milliseconds d, int n) {
  co_await hel::sleep_for(d);
  co_return n;
}
hel::task<std::unique_ptr<int>> boxed(int n) { co_return std::make_unique<int>(n); }
hel::task<> nothing(std::atomic<int>& n) {
  ++n;
  co_return;
}
hel::task<int&> itself(int& n) { co_return n; }
hel::task<int> fails(int code) {
  co_await hel::fail(code);
  co_return 0;
}
hel::task<int> throws(int n) {
  if (n > 0) throw std::runtime_error("member " + std::to_string(n));
  co_return n;
}
hel::task<int> never(log_type& log, hel::event& e, std::string name) {
  logged local(log, name);
  co_await e.wait();
  co_return -1;
}

// Tasks.
hel::task<int> first_of_two() {
  auto r = co_await hel::when_any(sleeps(10h, 1), sleeps(1ms, 2));
  co_return static_cast<int>(r.index) * 10 + *r.value;
}
hel::task<bool> mixed() {
  int n = 5;
  std::atomic<int> calls = 0;
  auto a = co_await hel::when_any(boxed(3), sleeps(10h, 1));
  auto b = co_await hel::when_any(sleeps(10h, 1), nothing(calls));
  auto c = co_await hel::when_any(itself(n), sleeps(10h, 1));
  auto d = co_await hel::when_any(nothing(calls), nothing(calls));
  bool ok = a.index == 0 && **std::get_if<0>(&*a.value) == 3;
  ok = ok && b.index == 1 && (*b.value).index() == 1 && calls >= 2;
  ok = ok && c.index == 0 && *std::get_if<0>(&*c.value) == &n;
  co_return ok&& d.value.has_value();
}
hel::task<bool> in_vector(int n, int first) {
  std::vector<hel::task<int>> tasks;
  for (int i = 0; i < n; ++i) tasks.push_back(sleeps(i == first ? 1ms : 10h, i));
  auto r = co_await hel::when_any(std::move(tasks));
  co_return r.index == static_cast<std::size_t>(first) && *r.value == first;
}
hel::task<int> failure_is_first() {
  auto r = co_await hel::when_any(sleeps(10h, 1), fails(7));
  co_return r.index == 1 && !r.value ? r.value.error().code : 0;
}
hel::task<int> exception_is_first(log_type& log, hel::event& e) {
  auto r = co_await hel::when_any(never(log, e, "other"), throws(1));
  co_return *r.value;
}
// The losers are over, their locals gone, before when_any is.
hel::task<int> others_are_cancelled(log_type& log, hel::event& e) {
  auto r = co_await hel::when_any(never(log, e, "b"), number(3, 5), never(log, e, "d"));
  log.push_back("first");
  co_return *r.value;
}
hel::task<int> does_not_suspend(std::atomic<int>& n) {
  ++n;
  co_return 1;
}
hel::task<int> host_call_is_waited_for(std::atomic<int>& n) {
  co_await hel::host([&n] { ++n; });
  ++n;  // a host call is waited for
  co_await hel::yield();
  ++n;  // but not more
  co_return 2;
}
hel::task<int> unsuspended(std::atomic<int>& n) {
  auto r = co_await hel::when_any(does_not_suspend(n), does_not_suspend(n), host_call_is_waited_for(n));
  if (!r.value) co_return -1;
  co_return n;
}
hel::task<int> nested(int depth, log_type& log, hel::event& e, std::atomic<int>& waiting) {
  logged local(log, "nested");
  if (depth == 0) {
    ++waiting;
    co_await e.wait();
    co_return 0;
  }
  auto r = co_await hel::when_any(nested(depth - 1, log, e, waiting), nested(depth - 1, log, e, waiting));
  co_return *r.value;
}
hel::task<int> after_all_wait(std::atomic<int>& waiting) {
  while (waiting < 8) co_await hel::yield();
  co_return 4;
}
hel::task<bool> outer_first(log_type& log, hel::event& e) {
  std::atomic<int> waiting = 0;
  auto r = co_await hel::when_any(nested(3, log, e, waiting), after_all_wait(waiting));
  co_return r.index == 1 && *r.value == 4 && log.size() == 15;
}
// The awaiting task is cancelled, at a moment that depends on `yields`.
hel::task<> awaits_any(log_type& log, hel::event& e) {
  logged local(log, "awaiting");
  auto r = co_await hel::when_any(never(log, e, "x"), never(log, e, "y"));
  log.push_back(r.value ? "value" : "error");
}
hel::task<int> cancel_awaiting(log_type& log, hel::event& e, int yields) {
  hel::cancel_source source;
  if (yields < 0) source.cancel();
  auto h = hel::spawn(source.token(), awaits_any, log, e);
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  co_return r ? 0 : r.error().code;
}
hel::task<int> catches(log_type& log, hel::event& e) {
  auto r = co_await hel::as_expected(never(log, e, "inner"));
  log.push_back(r ? "no" : "caught");
  co_return 9;
}
hel::task<int> loser_catches(log_type& log, hel::event& e) {
  auto r = co_await hel::when_any(number(1, 10), catches(log, e));
  co_return *r.value;
}

// Join handles.
hel::task<bool> handles_stay() {
  auto a = hel::spawn(number, 1, 200);
  auto b = hel::spawn(number, 2, 0);
  auto r = co_await hel::when_any(a, b);
  bool ok = r.index == 1 ? *r.value == 2 && !b.valid() && a.valid() : *r.value == 1 && !a.valid() && b.valid();
  int left = r.index == 1 ? co_await a : co_await b;
  co_return ok&& left == (r.index == 1 ? 1 : 2);
}
hel::task<long> one_by_one(int n) {
  std::vector<hel::join_handle<int>> handles;
  for (int i = 0; i < n; ++i) handles.push_back(hel::spawn(number, i, i % 7));
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    auto r = co_await hel::when_any(handles);
    if (*r.value != static_cast<int>(r.index) || handles[r.index].valid()) co_return -1;
    sum += *r.value;
  }
  co_return sum;
}
hel::task<> counts(std::atomic<int>& n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  ++n;
}
hel::task<int> dropped_run_on(std::atomic<int>& n) {
  std::vector<hel::join_handle<void>> handles;
  for (int i = 0; i < 10; ++i) handles.push_back(hel::spawn(counts, n, 5 * i));
  auto r = co_await hel::when_any(std::move(handles));
  co_return r.value.has_value();
}
hel::task<int> mixed_handles() {
  hel::event e;
  log_type log;
  auto a = hel::spawn(never, log, e, "a");
  auto r = co_await hel::when_any(a, hel::spawn(boxed, 4), hel::spawn(fails, 3));
  e.set();
  co_await a;
  co_return r.value ? **std::get_if<1>(&*r.value) : r.value.error().code + 100;
}
hel::task<int> failed_handle() {
  auto a = hel::spawn(fails, 11);
  auto r = co_await hel::when_any(a);
  co_return r.value.error().code;
}
hel::task<int> throwing_handle() {
  auto a = hel::spawn(throws, 2);
  auto r = co_await hel::when_any(a);
  co_return *r.value;
}
hel::task<> awaits_handles(hel::join_handle<int>& a, hel::join_handle<int>& b) {
  auto r = co_await hel::when_any(a, b);
  if (!r.value) co_await hel::fail(1);
}
hel::task<int> cancel_waiting_for_handles(int yields) {
  log_type log;
  hel::event e;
  auto a = hel::spawn(never, log, e, "a");
  auto b = hel::spawn(never, log, e, "b");
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), [&] { return awaits_handles(a, b); });
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  bool kept = a.valid() && b.valid() && !a.done() && !b.done();
  e.set();
  int sum = co_await a + co_await b;
  co_return kept&& sum == -2 && !r ? r.error().code : 0;
}
hel::task<int> nothing_to_wait_for() {
  int refused = 0;
  hel::join_handle<int> none;
  std::vector<hel::join_handle<int>> no_handles;
  try {
    (void)hel::when_any(std::vector<hel::task<int>>());
  } catch (const std::invalid_argument&) {
    ++refused;
  }
  try {
    (void)hel::when_any(no_handles);
  } catch (const std::invalid_argument&) {
    ++refused;
  }
  try {
    (void)hel::when_any(none, none);
  } catch (const std::invalid_argument&) {
    ++refused;
  }
  co_return refused;
}

// Several end at once, while others are being registered, cancelled or dropped.
hel::task<bool> race(int rounds, std::atomic<int>& ended) {
  for (int i = 0; i < rounds; ++i) {
    auto r = co_await hel::when_any(number(1, i % 3), number(2, i % 2), number(3, (i + 1) % 3));
    if (!r.value || *r.value != static_cast<int>(r.index) + 1) co_return false;
    std::vector<hel::join_handle<void>> handles;
    for (int k = 0; k < 4; ++k) handles.push_back(hel::spawn(counts, ended, (i + k) % 3));
    if (i % 2 == 0) {
      auto s = co_await hel::when_any(std::move(handles));
      if (!s.value) co_return false;
    } else {
      for (int k = 0; k < 4; ++k) {
        auto s = co_await hel::when_any(handles);
        if (!s.value) co_return false;
      }
    }
  }
  co_return true;
}
hel::task<int> any_under_token(int i) {
  auto a = hel::spawn(number, 1, i % 4);
  auto b = hel::spawn(number, 2, i % 3);
  auto r = co_await hel::when_any(a, b);
  auto s = co_await hel::when_any(number(1, i % 3), number(1, i % 5));
  co_return *r.value + *s.value;
}
hel::task<int> race_with_cancel(int rounds) {
  int other = 0;
  for (int i = 0; i < rounds; ++i) {
    hel::cancel_source source;
    auto h = hel::spawn(source.token(), any_under_token, i);
    for (int k = 0; k < i % 6; ++k) co_await hel::yield();
    source.cancel();
    auto r = co_await hel::as_expected(h);
    if (!r && r.error().code != cancelled) ++other;
  }
  co_return other;
}

}  // namespace

TEST_CASE("when_any gives the first task's result") {
  on_all_executors([](int r) { CHECK(r == 12); }, first_of_two);
  on_all_executors([](bool r) { CHECK(r); }, mixed);
  on_all_executors([](bool r) { CHECK(r); }, in_vector, 100, 63);
  on_all_executors([](bool r) { CHECK(r); }, in_vector, 1, 0);
  on_all_executors([](int r) { CHECK(r == 7); }, failure_is_first);
}

TEST_CASE("when_any cancels the other tasks and waits for them") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    log_type log;
    hel::event e;
    CHECK(rt.launch(others_are_cancelled, log, e).get() == 3);
    REQUIRE(log.size() == 3);
    CHECK(log.back() == "first");
    log.clear();
    CHECK_THROWS_WITH(rt.launch(exception_is_first, log, e).get(), "member 1");
    CHECK((log.empty() || log == log_type{"other"}));  // it may not have started
    log.clear();
    CHECK(rt.launch(outer_first, log, e).get());
    log.clear();
    CHECK(rt.launch(loser_catches, log, e).get() == 1);
    CHECK(log == log_type{"inner", "caught"});
    std::atomic<int> n = 0;
    CHECK(rt.launch(unsuspended, n).get() >= 2);
    CHECK(n <= 4);
  }
}

TEST_CASE("a task that awaits when_any is cancelled with its tasks") {
  for (const hel::cpu& settings : all_executors()) {
    for (int yields : {-1, 0, 1, 2, 5, 60}) {
      CAPTURE(yields);
      hel::runtime rt(settings);
      log_type log;
      hel::event e;
      CHECK(rt.launch(cancel_awaiting, log, e, yields).get() == cancelled);
      REQUIRE(!log.empty());
      CHECK(log.back() == "awaiting");
      if (yields == 60) CHECK(log.size() == 3);
    }
  }
}

TEST_CASE("when_any of join handles") {
  on_all_executors([](bool r) { CHECK(r); }, handles_stay);
  on_all_executors([](long r) { CHECK(r == 4950); }, one_by_one, 100);
  on_all_executors([](int r) { CHECK((r == 4 || r == 103)); }, mixed_handles);
  on_all_executors([](int r) { CHECK(r == 11); }, failed_handle);
  on_all_executors([](int r) { CHECK(r == 3); }, nothing_to_wait_for);
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      CHECK(rt.launch(dropped_run_on, n).get() == 1);
      CHECK_THROWS_WITH(rt.launch(throwing_handle).get(), "member 2");
    }
    CHECK(n == 10);
    for (int yields : {0, 1, 3, 60}) {
      hel::runtime rt(settings);
      CHECK(rt.launch(cancel_waiting_for_handles, yields).get() == cancelled);
    }
  }
}

TEST_CASE("when_any with everything at the same time") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> ended = 0;
    {
      hel::runtime rt(settings);
      CHECK(rt.launch(race, 500, ended).get());
      CHECK(rt.launch(race_with_cancel, 500).get() == 0);
    }
    CHECK(ended == 2000);
  }
}

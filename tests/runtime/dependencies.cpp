// Tasks that start after others: tasks, events and tickets, over or not, failing, abandoned, in a cycle.
#include <atomic>
#include <stdexcept>

#include "support.hpp"

namespace {

using log_type = std::vector<std::string>;

hel::task<int> number(int n) { co_return n; }
hel::task<int> reads(const int& value) { co_return value; }
hel::task<> writes(int& value, int to, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  value = to;
}
hel::task<int> fails(int code) {
  co_await hel::yield();
  co_await hel::fail(code);
  co_return 0;
}
hel::task<int> throws() {
  throw std::runtime_error("from a dependency");
  co_return 0;
}

hel::task<bool> after_one() {
  int value = 0;
  auto a = hel::spawn(writes, value, 7, 20);
  auto b = hel::spawn_after(a, reads, value);
  int seen = co_await b;
  co_return seen == 7 && a.done();
}
hel::task<bool> after_done() {
  auto a = hel::spawn(number, 1);
  while (!a.done()) co_await hel::yield();
  auto b = hel::spawn_after(a, number, 2);
  auto joined = hel::spawn(number, 3);
  co_await joined;
  auto c = hel::spawn_after({a, b, joined}, number, 4);
  int r = co_await c;
  co_return r == 4 && b.done();
}
hel::task<bool> after_several() {
  int x = 0, y = 0, z = 0;
  auto a = hel::spawn(writes, x, 1, 5);
  auto b = hel::spawn(writes, y, 2, 50);
  hel::event e;
  std::vector<hel::dependency> before{a, b, e};  // how many is known at run time only
  std::atomic<bool> early = true;
  auto c = hel::spawn_after(before, [&]() { return reads(y); });
  auto d = hel::spawn_after(c, writes, z, 9, 0);
  for (int i = 0; i < 100; ++i) co_await hel::yield();
  early = c.done();
  e.set();
  int seen = co_await c;
  co_await d;
  co_return !early && seen == 2 && x == 1 && z == 9;
}
hel::task<int> after_nothing() {
  std::vector<hel::dependency> none;
  co_return co_await hel::spawn_after(none, number, 5);
}

// Dropping handles detaches the tasks; those that depend on them start all the same.
hel::task<> bump(std::atomic<int>& n) {
  ++n;
  co_return;
}
hel::task<> waits(hel::event& e) { co_await e.wait(); }
hel::task<int> of_detached(std::atomic<int>& started, hel::event& go) {
  {
    auto a = hel::spawn(waits, go);
    auto b = hel::spawn_after(a, bump, started);
    hel::spawn_after({a, b}, bump, started).detach();
  }
  int before = started;
  go.set();
  co_return before;
}

// The task that others wait for is joined at once by who spawned it, on the same worker.
hel::task<int> after_joined() {
  int value = 0;
  auto a = hel::spawn(number, 1);
  auto b = hel::spawn_after(a, writes, value, 7, 0);
  auto c = hel::spawn_after({a, b}, reads, value);
  const int first = co_await a;
  const int seen = co_await c;
  co_return first + 10 * seen;
}
hel::task<int> fails_at_join(std::atomic<int>& started) {
  auto a = hel::spawn(fails, 5);
  hel::spawn_after(a, bump, started).detach();
  co_return co_await a;
}
hel::task<int> after_failed_join(std::atomic<int>& started) {
  auto r = co_await hel::as_expected(fails_at_join(started));
  while (started == 0) co_await hel::yield();
  co_return r ? 0 : r.error().code;
}

hel::task<long> chain(int n) {
  auto last = hel::spawn(number, 0);
  for (int i = 1; i < n; ++i) last = hel::spawn_after(last, number, i);
  co_return co_await last;
}
hel::task<> tick(std::atomic<long>& sum, long n) {
  sum += n;
  co_return;
}
hel::task<long> wide(int n) {
  std::atomic<long> sum = 0;
  hel::event start;
  std::vector<hel::join_handle<void>> all;
  for (int i = 0; i < n; ++i) all.push_back(hel::spawn_after(start, tick, sum, i));
  auto end = hel::spawn_after(all, number, 1);
  long before = sum;
  start.set();
  int one = co_await end;
  co_return before == 0 ? sum* one : -1;
}

hel::task<> cell(std::vector<long>& grid, int width, int at) {
  long up = at >= width ? grid[static_cast<std::size_t>(at - width)] : 0;
  long left = at % width ? grid[static_cast<std::size_t>(at - 1)] : 0;
  grid[static_cast<std::size_t>(at)] = std::max(1L, (up + left) % 1000003);
  co_return;
}
// Pascal's triangle, a cell after the two before it.
hel::task<long> wavefront(int width) {
  std::vector<long> grid(static_cast<std::size_t>(width * width));
  std::vector<hel::join_handle<void>> tasks;
  for (int at = 0; at < width * width; ++at) {
    std::vector<hel::dependency> before;
    if (at >= width) before.emplace_back(tasks[static_cast<std::size_t>(at - width)]);
    if (at % width) before.emplace_back(tasks[static_cast<std::size_t>(at - 1)]);
    tasks.push_back(hel::spawn_after(before, cell, grid, width, at));
  }
  co_await tasks.back();
  co_return grid.back();
}

hel::task<bool> after_failed(log_type& log) {
  auto a = hel::spawn(fails, 3);
  auto t = hel::spawn(throws);
  auto b = hel::spawn_after({a, t}, number, 1);
  int r = co_await b;
  auto x = co_await hel::as_expected(a);
  bool thrown = false;
  try {
    co_await t;
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  log.push_back("over");
  co_return r == 1 && x.error().code == 3 && thrown;
}
// A failing task with one who joins it and others who only wait.
hel::task<int> joins(hel::join_handle<int>& h) { co_return co_await h; }
hel::task<bool> joined_and_waited_for() {
  auto a = hel::spawn(fails, 3);
  auto before = hel::spawn_after(a, number, 1);
  auto j = hel::spawn(joins, a);
  auto after = hel::spawn_after(a, number, 2);
  auto r = co_await hel::as_expected(j);
  int sum = co_await before + co_await after;
  co_return r.error().code == 3 && sum == 3;
}

hel::task<> waits_and_counts(hel::event& e, std::atomic<int>& n) {
  co_await e.wait();
  ++n;
}
hel::task<> counts(std::atomic<int>& n) {
  ++n;
  co_return;
}
hel::task<int> many_wait(hel::event& e, std::atomic<int>& n, int each) {
  for (int i = 0; i < each; ++i) {
    hel::spawn_after(e, counts, n).detach();
    hel::spawn(waits_and_counts, e, n).detach();
  }
  co_await hel::yield();
  e.set();
  co_return 0;
}
hel::task<bool> event_wakes_all() {
  hel::event e;
  std::atomic<int> n = 0;
  std::vector<hel::join_handle<void>> all;
  for (int i = 0; i < 20; ++i) all.push_back(hel::spawn(waits_and_counts, e, n));
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  bool early = n != 0 || e.is_set();
  e.set();
  for (auto& h : all) co_await h;
  co_await e.wait();  // set: at once
  e.reset();
  bool again = !e.is_set();
  auto last = hel::spawn(waits_and_counts, e, n);
  co_await hel::yield();
  e.set();
  co_await last;
  co_return !early && again && n == 21;
}

hel::task<int> ticket_error(hel::ticket t) {
  auto r = co_await t.wait();
  co_return r ? 0 : r.error().code;
}
hel::task<bool> ticket_completed() {
  hel::ticket_issuer out;
  hel::ticket t = out.ticket(), copy = t;
  auto a = hel::spawn(ticket_error, t);
  auto b = hel::spawn_after({t, copy}, number, 8);
  co_await hel::yield();
  bool early = t.done() || b.done();
  out.complete();
  int code = co_await a;
  int eight = co_await b;
  int late = co_await ticket_error(copy);
  co_return !early && code == 0 && eight == 8 && late == 0 && !out.valid();
}
hel::task<bool> ticket_bound() {
  int value = 0;
  hel::ticket_issuer out;
  auto b = hel::spawn_after(out.ticket(), reads, value);  // exists before what it waits for
  auto a = hel::spawn(writes, value, 4, 10);
  auto bound = out.bind(a);
  int seen = co_await b;
  hel::ticket_issuer second;
  hel::ticket t = second.ticket();
  while (!a.done()) co_await hel::yield();
  auto late = second.bind(a);
  co_return bound.has_value() && late.has_value() && seen == 4 && t.done();
}
hel::task<bool> ticket_abandoned(std::atomic<int>& started) {
  hel::event e;
  hel::join_handle<void> b, c;
  hel::ticket t;
  hel::join_handle<int> a;
  {
    hel::ticket_issuer out;
    t = out.ticket();
    a = hel::spawn(ticket_error, t);
    b = hel::spawn_after(t, bump, started);
    c = hel::spawn_after({e, t}, bump, started);
    co_await hel::yield();
  }
  e.set();
  auto d = hel::spawn_after({t}, bump, started);  // abandoned already
  int code = co_await a;
  auto rb = co_await hel::as_expected(b);
  auto rc = co_await hel::as_expected(c);
  auto rd = co_await hel::as_expected(d);
  constexpr auto gone = hel::errc::abandoned;
  co_return code == static_cast<int>(gone) && rb.error() == gone&& rc.error() == gone&& rd.error() == gone;
}
hel::task<bool> cycle_is_refused() {
  hel::ticket_issuer out;
  auto a = hel::spawn_after(out.ticket(), number, 1);
  auto b = hel::spawn_after(a, number, 2);
  hel::ticket_issuer second;
  auto bridge = hel::spawn_after({b, b}, number, 3);
  auto other = hel::spawn_after(second.ticket(), number, 4);
  auto linked = second.bind(bridge);  // other waits for bridge, b, a, out
  auto direct = out.bind(a);
  auto far = out.bind(other);
  bool refused = !direct && !far && direct.error() == hel::errc::cycle && far.error() == hel::errc::cycle;
  auto free = hel::spawn(number, 0);
  auto bound = out.bind(free);  // still possible
  int sum = co_await other + co_await bridge + co_await a;
  co_return linked.has_value() && refused&& bound.has_value() && sum == 8;
}
hel::task<int> cycle_dropped() {
  hel::join_handle<int> a;
  {
    hel::ticket_issuer out;
    a = hel::spawn_after(out.ticket(), number, 1);
    if (out.bind(a)) co_return 0;
  }
  auto r = co_await hel::as_expected(a);  // fails instead of hanging
  co_return r ? 0 : r.error().code;
}

// Many tasks that depend on a random few of those before them; each checks that they are over.
hel::task<> random_node(std::vector<std::atomic<int>>& over, int i, std::vector<int> before, std::atomic<int>& faults) {
  for (int b : before)
    if (!over[static_cast<std::size_t>(b)]) ++faults;
  if (i % 5 == 0) co_await hel::yield();
  over[static_cast<std::size_t>(i)] = 1;
}
hel::task<int> random_graph(int n) {
  std::vector<std::atomic<int>> over(static_cast<std::size_t>(n));
  std::vector<hel::join_handle<void>> tasks;
  std::atomic<int> faults = 0;
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    std::vector<int> before;
    std::vector<hel::dependency> on;
    for (unsigned k = 0; i > 0 && k < (state >> 29); ++k) {
      state = state * 1664525u + 1013904223u;
      int b = static_cast<int>((state >> 8) % static_cast<unsigned>(i));
      before.push_back(b);
      on.emplace_back(tasks[static_cast<std::size_t>(b)]);
    }
    state = state * 1664525u + 1013904223u;
    tasks.push_back(hel::spawn_after(on, random_node, over, i, before, faults));
    if (i % 64 == 0) co_await hel::yield();
  }
  for (auto& t : tasks) co_await t;
  co_return faults;
}

}  // namespace

TEST_CASE("a task starts after the tasks and events before it") {
  on_all_executors([](bool r) { CHECK(r); }, after_one);
  on_all_executors([](bool r) { CHECK(r); }, after_done);
  on_all_executors([](bool r) { CHECK(r); }, after_several);
  on_all_executors([](int r) { CHECK(r == 5); }, after_nothing);
}

TEST_CASE("dependencies may be detached") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> started = 0;
    {
      hel::event go;
      hel::runtime rt(settings);
      CHECK(rt.launch(of_detached, started, go).get() == 0);
    }
    CHECK(started == 2);
  }
}

TEST_CASE("a dependency may be joined at once") {
  on_all_executors([](int r) { CHECK(r == 71); }, after_joined);
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> started = 0;
    hel::runtime rt(settings);
    CHECK(rt.launch(after_failed_join, started).get() == 5);
  }
}

TEST_CASE("chains, fans and wavefronts") {
  on_all_executors([](long r) { CHECK(r == 4999); }, chain, 5000);
  on_all_executors([](long r) { CHECK(r == 4999L * 2500); }, wide, 5000);
  on_all_executors([](long r) { CHECK(r == 137846528820L % 1000003); }, wavefront, 21);
}

TEST_CASE("a dependency is over however it ends") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    CHECK(rt.launch(after_failed, log).get());
    CHECK(rt.launch(joined_and_waited_for).get());
  }
}

TEST_CASE("an event wakes all who wait, and can be set again") {
  on_all_executors([](bool r) { CHECK(r); }, event_wakes_all);
}

TEST_CASE("those whom an event wakes run before the runtime is gone, however many") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    hel::event e;
    {
      hel::runtime rt(settings);
      auto app = rt.launch(many_wait, e, n, 3000);
    }
    CHECK(n == 6000);
  }
}

TEST_CASE("an event is set from outside the runtime") {
  for (const hel::cpu& settings : all_executors()) {
    hel::event e;
    hel::runtime rt(settings);
    auto app = rt.launch(waits, e);
    e.set();
    app.get();
  }
}

TEST_CASE("tickets are completed, bound to tasks, or abandoned") {
  on_all_executors([](bool r) { CHECK(r); }, ticket_completed);
  on_all_executors([](bool r) { CHECK(r); }, ticket_bound);
  std::atomic<int> started = 0;
  on_all_executors([](bool r) { CHECK(r); }, ticket_abandoned, started);
  CHECK(started == 0);
}

TEST_CASE("a cycle is an error") {
  on_all_executors([](bool r) { CHECK(r); }, cycle_is_refused);
  on_all_executors([](int r) { CHECK(r == static_cast<int>(hel::errc::abandoned)); }, cycle_dropped);
}

TEST_CASE("random graphs run in their order") {
  on_all_executors([](int r) { CHECK(r == 0); }, random_graph, 3000);
}

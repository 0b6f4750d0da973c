// Services: order, back-pressure, concurrency, hooks, failures, services that call services, cycles.
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using log_type = std::vector<std::string>;

struct add {
  int n;
};
struct slow_add {
  int n;
};
struct read {};
struct fail_with {
  int code;
};
struct throw_it {};
struct own {
  std::unique_ptr<int> p;
};

class accumulator {
 public:
  int handle(add a) { return value_ += a.n; }
  hel::task<int> handle(slow_add a) {
    int before = value_;
    for (int i = 0; i < 5; ++i) co_await hel::yield();
    value_ = before + a.n;  // no other request has run meanwhile
    co_return value_;
  }
  int& handle(read) { return value_; }
  hel::task<int> handle(fail_with f) {
    co_await hel::yield();
    co_await hel::fail(f.code);
    co_return 0;
  }
  int handle(throw_it) { throw std::runtime_error("from a handler"); }
  hel::task<std::unique_ptr<int>> handle(own o) {
    *o.p += 1;
    co_return std::move(o.p);
  }

 private:
  int value_ = 0;
};
using accumulator_service = hel::service<accumulator>;

hel::task<> adds(accumulator_service s, int n) {
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0)
      co_await s.call(slow_add{1});
    else if (i % 3 == 1)
      co_await s.call(add{1});
    else
      co_await s.post(slow_add{1});
  }
}
hel::task<int> many_callers(accumulator_service s, int callers, int each) {
  auto b = hel::spawn_batch(static_cast<std::size_t>(callers), [s, each](std::size_t) { return adds(s, each); });
  co_await b;
  int& value = co_await s.call(read{});
  co_return value;
}
hel::task<int> reads(accumulator_service s) { co_return co_await s.call(read{}); }
hel::task<bool> moves(accumulator_service s) {
  auto p = co_await s.call(own{std::make_unique<int>(4)});
  co_return *p == 5;
}
hel::task<int> fails(accumulator_service s, log_type& log) {
  logged local(log, "caller");
  int n = co_await s.call(fail_with{6});
  log.push_back("not reached");
  co_return n;
}
hel::task<int> expects(accumulator_service s) {
  auto bad = co_await hel::as_expected(s.call(fail_with{6}));
  auto good = co_await hel::as_expected(s.call(add{0}));
  co_return good ? bad.error().code : -1;
}
hel::task<> calls_throwing(accumulator_service s) { co_await s.call(throw_it{}); }
hel::task<> posts_failing(accumulator_service s) {
  co_await s.post(fail_with{1});
  co_await s.post(throw_it{});
}

// Blocks until it is told to go on.
struct gate {
  hel::event* open;
  std::atomic<int>* active;
  std::atomic<int>* most;
  hel::task<> handle(read) {
    int now = ++*active;
    int seen = *most;
    while (seen < now && !most->compare_exchange_weak(seen, now)) {
    }
    co_await open->wait();
    --*active;
  }
};
hel::task<> posts(hel::service<gate> s, std::atomic<int>& posted, int n) {
  for (int i = 0; i < n; ++i) {
    co_await s.post(read{});
    ++posted;
  }
}
hel::task<bool> back_pressure(hel::service<gate> s, hel::event& open, int capacity, int at_once) {
  std::atomic<int> posted = 0;
  int sent = 0;
  while (s.try_post(read{})) ++sent;
  auto h = hel::spawn(posts, s, posted, 3);
  for (int i = 0; i < 200; ++i) co_await hel::yield();
  bool held = posted == 0 && sent == capacity + at_once && !s.try_post(read{});
  open.set();
  co_await h;
  co_return held&& posted == 3;
}

struct square {
  int n;
};
struct middle {
  hel::service<accumulator> below;
  hel::task<int> handle(square s) {
    int total = 0;
    for (int i = 0; i < s.n; ++i) total = co_await below.call(add{s.n});
    co_return total;
  }
};
hel::task<int> through(hel::service<middle> s) { co_return co_await s.call(square{5}); }

// Two services that call each other.
struct ping {
  int depth;
};
struct partner {
  hel::service<partner>* other;
  hel::task<int> through_task(int depth) { co_return co_await other->call(ping{depth}); }
  hel::task<int> handle(ping p) {
    if (p.depth == 0) co_return 1;
    auto r = co_await hel::as_expected(through_task(p.depth - 1));
    if (!r) co_await hel::fail(r.error());
    co_return *r + 1;
  }
};
hel::task<int> rally(hel::service<partner> a, int depth) {
  auto r = co_await hel::as_expected(a.call(ping{depth}));
  co_return r ? *r : r.error().code;
}

struct hooked {
  log_type& log;
  std::string name;
  hooked(log_type& l, std::string n) : log(l), name(std::move(n)) {}
  ~hooked() { log.push_back(name + " destroyed"); }
  void start() { log.push_back(name + " starts"); }
  hel::task<> stop() {
    co_await hel::yield();
    log.push_back(name + " stops");
  }
  void handle(add) { log.push_back(name + " works"); }
};
hel::task<> use(hel::service<hooked> s) { co_await s.post(add{1}); }

}  // namespace

TEST_CASE("one request at a time, none lost") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    auto s = rt.start_service<accumulator>(hel::service_options{.capacity = 4});
    CHECK(rt.launch(many_callers, s, 20, 30).get() == 600);
    CHECK(rt.launch(reads, s).get() == 600);  // the state outlives the application
    CHECK(rt.launch(moves, s).get());
  }
}

TEST_CASE("a failing handler fails who calls, and nobody who posts") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    auto s = rt.start_service<accumulator>();
    CHECK(rt.launch(fails, s, log).get_expected().error().code == 6);
    CHECK(log == log_type{"caller"});
    CHECK(rt.launch(expects, s).get() == 6);
    CHECK_THROWS_WITH(rt.launch(calls_throwing, s).get(), "from a handler");
    rt.launch(posts_failing, s).get();
    CHECK(rt.launch(reads, s).get() == 0);
  }
}

TEST_CASE("a full mailbox suspends who posts") {
  for (const hel::cpu& settings : all_executors()) {
    for (bool concurrent : {false, true}) {
      hel::event open;
      std::atomic<int> active = 0, most = 0;
      {
        hel::runtime rt(settings);
        auto s = rt.start_service<gate>(hel::service_options{.capacity = 3, .concurrent = concurrent},
                                        gate{&open, &active, &most});
        CHECK(rt.launch(back_pressure, s, open, 3, concurrent ? 3 : 1).get());
      }
      CHECK(active == 0);
      CHECK(most <= (concurrent ? 3 : 1));
      if (concurrent) CHECK(most == 3);
    }
  }
}

TEST_CASE("a service calls a service, and a cycle of calls is an error") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    auto below = rt.start_service<accumulator>();
    auto m = rt.start_service<middle>({}, below);
    CHECK(rt.launch(through, m).get() == 25);
    hel::service<partner> a, b;
    a = rt.start_service<partner>({}, &b);
    b = rt.start_service<partner>({}, &a);
    CHECK(rt.launch(rally, a, 0).get() == 1);
    CHECK(rt.launch(rally, a, 1).get() == 2);
    CHECK(rt.launch(rally, a, 2).get() == static_cast<int>(hel::errc::call_cycle));
    hel::service<partner> c;
    c = rt.start_service<partner>({.concurrent = true}, &c);
    CHECK(rt.launch(rally, c, 10).get() == 11);  // concurrent: it may call itself
  }
}

TEST_CASE("services start in order and stop in the reverse order, after the applications") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    {
      hel::runtime rt(settings);
      (void)rt.start_service<hooked>({}, log, "a");
      auto b = rt.start_service<hooked>({}, log, "b");
      rt.launch(use, b).wait();
    }
    CHECK(log == log_type{"a starts", "b starts", "b works", "b stops", "b destroyed", "a stops", "a destroyed"});
  }
}

TEST_CASE("a mailbox without room is refused") {
  hel::runtime rt(hel::cpu{.threads = 1});
  CHECK_THROWS_AS(rt.start_service<accumulator>(hel::service_options{.capacity = 0}), std::invalid_argument);
}

// The host's handle of an application: waiting for a time, polling, cancelling all of its tasks; draining and stopping.
#include <atomic>
#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

#include "hel/deadlock.hpp"
#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using log_type = std::vector<std::string>;
constexpr int cancelled = static_cast<int>(hel::errc::cancelled);

struct busy {};
struct slow_service {
  hel::event* open;
  hel::task<int> handle(busy) {
    co_await open->wait();
    co_return 1;
  }
};

// What there is to wait for, nothing of which happens by itself.
struct world {
  hel::channel<int> full{1}, empty{1};
  hel::event never, open;
  hel::ticket_issuer issuer;
  hel::ticket ticket = issuer.ticket();
  hel::service<slow_service> service;
  std::atomic<int> waiting = 0, alive = 0;
};
class living {
 public:
  explicit living(world& w) : world_(&w) { ++world_->alive; }
  living(const living&) = delete;
  ~living() { --world_->alive; }

 private:
  world* world_;
};

hel::task<> wait_event(world& w) {
  living l(w);
  ++w.waiting;
  co_await w.never.wait();
}
hel::task<> wait_send(world& w) {
  living l(w);
  ++w.waiting;
  co_await w.full.send(2);
}
hel::task<> wait_receive(world& w) {
  living l(w);
  ++w.waiting;
  (void)co_await w.empty.receive();
}
hel::task<> wait_ticket(world& w) {
  living l(w);
  ++w.waiting;
  (void)co_await w.ticket.wait();
}
hel::task<> wait_join(world& w) {
  living l(w);
  auto h = hel::spawn(wait_event, w);
  co_await h;
}
hel::task<> wait_batch(world& w) {
  living l(w);
  auto b = hel::spawn_batch(3, [&w](std::size_t) { return wait_event(w); });
  co_await b;
}
hel::task<> drops_batch(world& w) {
  living l(w);
  auto b = hel::spawn_batch(3, [&w](std::size_t) { return wait_join(w); });
  co_return;
}
hel::task<> wait_sleep(world& w) {
  living l(w);
  ++w.waiting;
  co_await hel::sleep_for(10h);
}
hel::task<> wait_yield(world& w) {
  living l(w);
  ++w.waiting;
  for (;;) co_await hel::yield();
}
hel::task<> wait_service(world& w) {
  living l(w);
  ++w.waiting;
  (void)co_await w.service.call(busy{});
}
hel::task<> wait_all(world& w) {
  living l(w);
  co_await hel::when_all(wait_event(w), wait_sleep(w), wait_receive(w));
}
hel::task<> wait_any(world& w) {
  living l(w);
  co_await hel::when_any(wait_event(w), wait_sleep(w), wait_receive(w));
}
hel::task<> wait_any_handle(world& w) {
  living l(w);
  co_await hel::when_any(hel::spawn(wait_event, w), hel::spawn(wait_send, w));
}
hel::task<> wait_detached(world& w) {
  living l(w);
  for (int i = 0; i < 10; ++i) hel::spawn(wait_join, w).detach();
  co_return;
}
hel::task<> fails(world& w) {
  living l(w);
  ++w.waiting;
  co_await hel::yield();
  co_await hel::fail(3);
}
hel::task<> wait_retry(world& w) {
  living l(w);
  auto h = hel::spawn(hel::retry{.max_attempts = 1000000, .backoff = hel::constant_backoff(1h)}, fails, std::ref(w));
  co_await h;
}
hel::task<> wait_in_attempt(world& w) {
  living l(w);
  auto h = hel::spawn(hel::retry{.max_attempts = 1000000}, wait_join, std::ref(w));
  co_await h;
}
hel::task<> wait_after(world& w) {
  living l(w);
  auto first = hel::spawn(wait_event, w);
  auto second = hel::spawn_after(first, wait_event, w);
  co_await second;
}
hel::task<> wait_after_host(world& w) {
  living l(w);
  co_await hel::host([] {});
  auto r = co_await hel::as_expected(hel::host([] { return 1; }).within(10s));
  if (!r) co_await hel::fail(1);
  auto h = hel::spawn(wait_event, w);
  co_await h;
}
hel::task<> wait_own_token(world& w) {
  living l(w);
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), wait_event, w);
  co_await h;
}
hel::task<> wait_caught(world& w) {
  living l(w);
  auto r = co_await hel::as_expected(wait_event(w));
  if (r || r.error() != hel::errc::cancelled) co_await hel::fail(1);
  co_await hel::sleep_for(10h);  // cancelled again
}
using waiting_task = hel::task<> (*)(world&);
constexpr waiting_task all_kinds[] = {wait_event,      wait_send,   wait_receive,    wait_ticket,     wait_join,
                                      wait_batch,      drops_batch, wait_sleep,      wait_yield,      wait_service,
                                      wait_all,        wait_any,    wait_any_handle, wait_detached,   wait_retry,
                                      wait_in_attempt, wait_after,  wait_own_token,  wait_after_host, wait_caught};

hel::task<> root_of(world& w, waiting_task wait) {
  living l(w);
  co_await wait(w);
  co_await w.never.wait();
}
hel::task<> call_service(world& w) { (void)co_await w.service.call(busy{}); }
hel::task<> fill(world& w) { co_await w.full.send(1); }
hel::task<int> identity(int n) { co_return n; }
hel::task<int> patient(int n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  co_return n;
}
hel::task<int> sleeps(std::chrono::milliseconds t, int n) {
  co_await hel::sleep_for(t);
  co_return n;
}
hel::task<long> fib(long n) {
  if (n < 2) co_return n;
  auto h = hel::spawn(fib, n - 1);
  long b = co_await fib(n - 2);
  co_return b + co_await h;
}
hel::task<> tree_of_waiting(world& w, int depth) {
  living l(w);
  if (depth == 0) co_await w.never.wait();
  auto a = hel::spawn(tree_of_waiting, w, depth - 1);
  auto b = hel::spawn(tree_of_waiting, w, depth - 1);
  co_await a;
  co_await b;
}
hel::task<> sleeps_then_counts(std::atomic<int>& n, int left) {
  co_await hel::sleep_for(1ms);
  ++n;
  if (left > 0) hel::spawn(sleeps_then_counts, n, left - 1).detach();
}
hel::task<> sleeps_a_little() { co_await hel::sleep_for(1ms); }
hel::task<> sets(hel::event& e) {
  e.set();
  co_return;
}
hel::task<> waits(hel::event& e) { co_await e.wait(); }

}  // namespace

TEST_CASE("every task of a cancelled application ends, in each kind of suspension") {
  for (const hel::cpu& settings : all_and_divided()) {
    for (std::size_t kind = 0; kind < std::size(all_kinds); ++kind) {
      for (bool early : {false, true}) {
        CAPTURE(settings.threads);
        CAPTURE(kind);
        CAPTURE(early);
        world w;
        hel::runtime rt(settings);
        w.service = rt.start_service<slow_service>({}, &w.open);
        rt.launch(fill, w).get();
        auto keeps_busy = rt.launch(call_service, w);
        for (int i = 0; i < 20; ++i) keeps_busy.poll();
        auto other = rt.launch(sleeps, 2ms, 5);
        auto app = rt.launch(hel::cancellable, root_of, w, all_kinds[kind]);
        if (!early) {
          while (w.waiting == 0) app.poll();
          for (int i = 0; i < 50; ++i) app.poll();
        }
        app.cancel();
        app.cancel();
        auto r = app.get_expected();
        CHECK(!r);
        if (!r) CHECK(r.error().code == cancelled);
        w.open.set();
        rt.drain();
        CHECK(w.alive == 0);
        CHECK(other.get() == 5);
      }
    }
  }
}

TEST_CASE("cancelling one of several applications leaves the others alone") {
  for (const hel::cpu& settings : all_and_divided()) {
    world w, v;
    hel::runtime rt(settings);
    auto a = rt.launch(hel::cancellable, tree_of_waiting, w, 8);
    auto b = rt.launch(hel::cancellable, tree_of_waiting, v, 4);
    auto c = rt.launch(hel::cancellable, fib, 15L);
    auto d = rt.launch(fib, 14L);
    while (w.alive < 511 || v.alive < 31) a.poll();
    a.cancel();
    CHECK(a.get_expected().error().code == cancelled);
    CHECK(v.alive == 31);
    CHECK(c.get() == 610);
    CHECK(d.get() == 377);
    c = rt.launch(hel::cancellable, fib, 5L);
    c.wait();
    c.cancel();  // it was over before
    CHECK(c.get() == 5);
    CHECK_THROWS_AS(d.cancel(), std::logic_error);
    b.cancel();
    rt.drain();
    CHECK(w.alive == 0);
    CHECK(v.alive == 0);
  }
}

TEST_CASE("a dropped application goes on; cancelled from another thread, it ends") {
  for (int round = 0; round < 20; ++round) {
    world w;
    hel::runtime rt(hel::cpu{.threads = 3, .executor = hel::executor::threads});
    {
      auto dropped = rt.launch(hel::cancellable, waits, w.open);
      auto app = rt.launch(hel::cancellable, tree_of_waiting, w, 6);
      std::thread other([&] { app.cancel(); });
      CHECK(app.get_expected().error().code == cancelled);
      other.join();
    }
    w.open.set();
    rt.drain();
    CHECK(w.alive == 0);
  }
}

TEST_CASE("waiting for a time") {
  {
    hel::event e;
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
    auto app = rt.launch(waits, e);
    const auto before = std::chrono::steady_clock::now();
    CHECK(!app.wait_for(20ms));
    CHECK(std::chrono::steady_clock::now() - before >= 20ms);
    CHECK(!app.wait_for(0s));
    CHECK(!app.wait_for(-1s));
    CHECK(!app.poll());
    e.set();
    CHECK(app.wait_for(std::chrono::hours::max()));
    CHECK(app.poll());
    app.get();
    CHECK(app.wait_for(1s));  // nothing to wait for
  }
  {
    hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
    auto app = rt.launch(sleeps, 3'600'000ms, 7);
    CHECK(!app.wait_for(30min));
    CHECK(!app.wait_for(29min));
    CHECK(app.wait_for(1min));
    CHECK(app.get() == 7);
    hel::event e;
    auto stuck = rt.launch(waits, e);
    CHECK(!stuck.wait_for(1h));
    CHECK_THROWS_AS(stuck.wait(), hel::deadlock);
    CHECK(!stuck.poll());
    CHECK_THROWS_AS(rt.drain(), hel::deadlock);
    CHECK_THROWS_AS(rt.stop(), hel::deadlock);
    rt.launch(sets, e).get();
    CHECK(stuck.poll());
  }
  {
    hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
    auto app = rt.launch(patient, 3, 10);
    int polls = 1;
    while (!app.poll()) ++polls;
    CHECK(polls == 11);
    CHECK(app.get() == 3);
  }
}

TEST_CASE("a wait is given up, and the application goes on or ends meanwhile") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::event e;
    hel::runtime rt(settings);
    for (int i = 0; i < 100; ++i) {
      auto app = rt.launch(patient, 1, i % 3);
      for (int k = 0; k < i % 5; ++k) app.poll();
      auto to = std::move(app);
      to.poll();
      to = rt.launch(patient, 2, 1);
    }
    auto stuck = rt.launch(waits, e);
    CHECK(!stuck.wait_for(1ms));
    stuck = rt.launch(sets, e);
    rt.drain();
  }
}

TEST_CASE("drain waits for everything, also what nobody has a handle of") {
  for (const hel::cpu& settings : all_and_divided()) {
    std::atomic<int> n = 0;
    hel::runtime rt(settings);
    for (int round = 1; round <= 3; ++round) {
      for (int i = 0; i < 5; ++i) auto dropped = rt.launch(sleeps_then_counts, n, 4);
      rt.drain();
      CHECK(n == 25 * round);
    }
  }
}

TEST_CASE("stop drains, stops the services, and refuses what comes later") {
  struct service {
    explicit service(log_type& l) : log(&l) {}
    ~service() { log->push_back("destroyed"); }
    int handle(int n) { return n; }
    hel::task<> stop() {
      log->push_back("stop");
      return sleeps_a_little();
    }
    log_type* log;
  };
  for (const hel::cpu& settings : all_and_divided()) {
    log_type log;
    std::atomic<int> n = 0;
    hel::runtime rt(settings);
    rt.start_service<service>({}, log);
    auto kept = rt.launch(identity, 4);
    auto dropped = rt.launch(sleeps_then_counts, n, 9);
    rt.stop();
    CHECK(n == 10);
    CHECK(log == log_type{"stop", "destroyed"});
    CHECK_THROWS_AS(rt.launch(identity, 1), std::logic_error);
    CHECK_THROWS_AS(rt.launch(hel::cancellable, identity, 1), std::logic_error);
    CHECK_THROWS_AS(rt.start_service<service>({}, log), std::logic_error);
    rt.stop();
    CHECK(kept.get() == 4);
    CHECK(log.size() == 2);
  }
}

TEST_CASE("launching and cancelling often") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::runtime rt(settings);
    for (int i = 0; i < 300; ++i) {
      auto app = rt.launch(hel::cancellable, fib, 10L);
      for (int k = 0; k < i % 5; ++k) app.poll();
      app.cancel();
      auto r = app.get_expected();
      CHECK((r ? *r == 55 : r.error().code == cancelled));
    }
  }
}

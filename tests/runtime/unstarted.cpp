// Tasks that wait unstarted for others (hel::spawn_after) in an application that is cancelled.
#include <atomic>
#include <chrono>
#include <thread>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
using log_type = std::vector<std::string>;
constexpr int cancelled = static_cast<int>(hel::errc::cancelled);

std::atomic<int> started = 0;

hel::task<int> starts(logged kept) {
  ++started;
  (void)kept;
  co_return 1;
}
hel::task<int> counts() {
  ++started;
  co_return 1;
}

// One task waits for what never comes, two wait for that one.
hel::task<> chain_after(hel::event& never, log_type& log) {
  auto a = hel::spawn_after(never, starts, logged(log, "argument"));
  auto b = hel::spawn_after({a, never}, counts);
  hel::spawn_after(b, counts).detach();
  co_await b;
}
hel::task<> chain_after_own(log_type& log) {
  hel::event never;
  co_await chain_after(never, log);
}

// What is bound to an unstarted task is released when that one is cancelled.
hel::task<> binds(hel::event& never, hel::ticket_issuer& out, std::atomic<bool>& bound) {
  auto a = hel::spawn_after(never, counts);
  bound = static_cast<bool>(out.bind(a));
  co_await a;
}
hel::task<int> after_ticket(hel::ticket t) {
  auto h = hel::spawn_after(t, counts);
  co_return co_await h;
}

hel::task<> after_two(hel::event& one, hel::event& other) {
  auto a = hel::spawn_after({one, other}, counts);
  co_await a;
}
hel::task<> after_one_ticket(hel::ticket t) {
  auto a = hel::spawn_after(t, counts);
  co_await a;
}
hel::task<bool> binds_late(hel::ticket_issuer& out) {
  auto h = hel::spawn(counts);
  bool bound = static_cast<bool>(out.bind(h));
  co_await h;
  co_return bound;
}

// Does not suspend between being cancelled and spawning.
hel::task<int> spawns_when_cancelled(hel::event& never, std::atomic<int>& step) {
  step = 1;
  while (step != 2) std::this_thread::yield();
  auto a = hel::spawn_after(never, counts);
  auto b = hel::spawn_after(a, counts);
  step = 3;
  while (!b.done()) std::this_thread::yield();
  co_return 1;
}

hel::task<int> after_local_event() {
  hel::join_handle<int> h;
  {
    hel::event gone;
    h = hel::spawn_after(gone, counts);
  }
  auto r = co_await hel::as_expected(h);
  co_return r ? 0 : r.error().code;
}

hel::task<> many_after(hel::event& e, std::atomic<int>& waiting) {
  std::vector<hel::join_handle<int>> all;
  for (int i = 0; i < 8; ++i) all.push_back(hel::spawn_after(e, counts));
  auto last = hel::spawn_after(all, counts);
  ++waiting;
  co_await last;
}

}  // namespace

TEST_CASE("cancelling an application ends what has not started, and what waits for that") {
  for (const hel::cpu& settings : all_and_divided()) {
    for (bool own : {false, true}) {
      started = 0;
      log_type log;
      hel::event never;
      hel::runtime rt(settings);
      auto app = own ? rt.launch(hel::cancellable, chain_after_own, log)
                     : rt.launch(hel::cancellable, chain_after, never, log);
      while (rt.stats().alive() < 4) app.poll();
      CHECK(!app.wait_for(1ms));
      CHECK(log.empty());
      app.cancel();
      CHECK(app.get_expected().error().code == cancelled);
      rt.drain();
      CHECK(log == log_type{"argument"});
      CHECK(started == 0);
      CHECK(rt.stats().alive() == 0);
      CHECK(rt.stats().started == 4);
    }
  }
}

TEST_CASE("a task that is cancelled unstarted keeps its place as a dependency") {
  for (const hel::cpu& settings : all_and_divided()) {
    started = 0;
    hel::event never;
    hel::ticket_issuer issuer;
    std::atomic<bool> bound = false;
    hel::runtime rt(settings);
    auto waits = rt.launch(after_ticket, issuer.ticket());
    auto app = rt.launch(hel::cancellable, binds, never, issuer, bound);
    while (!bound) app.poll();
    CHECK(!waits.wait_for(1ms));
    app.cancel();
    CHECK(waits.get() == 1);
    CHECK(app.get_expected().error().code == cancelled);
    CHECK(started == 1);
  }
}

TEST_CASE("what comes after the cancellation finds nobody") {
  for (const hel::cpu& settings : all_and_divided()) {
    started = 0;
    hel::event one, other;
    hel::ticket_issuer issuer;
    hel::runtime rt(settings);
    auto two = rt.launch(hel::cancellable, after_two, one, other);
    auto ticket = rt.launch(hel::cancellable, after_one_ticket, issuer.ticket());
    while (rt.stats().alive() < 4) two.poll();
    CHECK(!two.wait_for(1ms));
    one.set();
    CHECK(!two.wait_for(1ms));
    two.cancel();
    ticket.cancel();
    CHECK(two.get_expected().error().code == cancelled);
    CHECK(ticket.get_expected().error().code == cancelled);
    rt.drain();
    other.set();
    CHECK(rt.launch(binds_late, issuer).get());  // looks for cycles among those who wait for the ticket
    CHECK(started == 1);
  }
}

TEST_CASE("in an application that is cancelled already, nothing waits") {
  started = 0;
  hel::event never;
  std::atomic<int> step = 0;
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  auto app = rt.launch(hel::cancellable, spawns_when_cancelled, never, step);
  while (step != 1) std::this_thread::yield();
  app.cancel();
  step = 2;
  CHECK(app.get() == 1);  // it never suspends
  rt.drain();
  CHECK(started == 0);
  CHECK(rt.stats().alive() == 0);
}

TEST_CASE("an event that goes unset abandons what waits unstarted") {
  on_all_executors([](int r) { CHECK(r == static_cast<int>(hel::errc::abandoned)); }, after_local_event);
}

TEST_CASE("the last dependency and the cancellation at the same time") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::runtime rt(settings);
    for (int i = 0; i < 200; ++i) {
      hel::event e;
      std::atomic<int> waiting = 0;
      auto app = rt.launch(hel::cancellable, many_after, e, waiting);
      while (waiting == 0) app.poll();
      std::thread other([&] {
        for (int k = 0; k < i % 5; ++k) std::this_thread::yield();
        e.set();
      });
      for (int k = 0; k < i % 3; ++k) std::this_thread::yield();
      app.cancel();
      const auto r = app.get_expected();
      CHECK((r || r.error().code == cancelled));
      other.join();
      rt.drain();
    }
    CHECK(rt.stats().alive() == 0);
  }
}

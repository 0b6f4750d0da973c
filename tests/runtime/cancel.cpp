// Cancellation: during each kind of suspension, before, after, and while something else wakes the task.
#include <atomic>
#include <chrono>
#include <thread>

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
  hel::service<slow_service> service, full_service;
  std::atomic<int> waiting = 0;
};

hel::task<> blocks(world& w) { co_await w.never.wait(); }

hel::task<> wait_send(world& w) { co_await w.full.send(2); }
hel::task<> wait_receive(world& w) { (void)co_await w.empty.receive(); }
hel::task<> wait_rendezvous(world&) {
  hel::channel<int> c(0);
  co_await c.send(1);
}
hel::task<> wait_event(world& w) { co_await w.never.wait(); }
hel::task<> wait_ticket(world& w) { (void)co_await w.ticket.wait(); }
hel::task<> wait_join(world& w) {
  auto h = hel::spawn(blocks, w);
  co_await h;
}
hel::task<> wait_batch(world& w) {
  auto b = hel::spawn_batch(3, [&w](std::size_t) { return blocks(w); });
  co_await b;
}
hel::task<> wait_sleep(world&) { co_await hel::sleep_for(10h); }
hel::task<> wait_yield(world&) {
  for (;;) co_await hel::yield();
}
hel::task<> wait_service(world& w) { (void)co_await w.service.call(busy{}); }
hel::task<> wait_full_service(world& w) { (void)co_await w.full_service.call(busy{}); }  // for room in its mailbox
hel::task<> wait_any(world& w) { (void)co_await hel::when_any(wait_event(w), wait_sleep(w), wait_service(w)); }
hel::task<> wait_retry(world& w) {
  auto h = hel::spawn(hel::retry{.max_attempts = 3}, blocks, std::ref(w));
  co_await h;
}
hel::task<> wait_deep(world& w) { co_await wait_event(w); }
hel::task<> wait_all(world& w) { co_await hel::when_all(wait_event(w), wait_sleep(w), wait_receive(w)); }
hel::task<> wait_caught(world& w) {
  auto r = co_await hel::as_expected(wait_event(w));
  if (r || r.error() != hel::errc::cancelled) co_await hel::fail(1);
  co_await hel::sleep_for(10h);  // cancelled again
}
using waiting_task = hel::task<> (*)(world&);
// A host call is in host.cpp: where there is one thread for everything, its function cannot wait.
constexpr waiting_task all_kinds[] = {
    wait_send,  wait_receive, wait_rendezvous, wait_event,   wait_ticket,       wait_join, wait_batch, wait_sleep,
    wait_yield, wait_any,     wait_retry,      wait_service, wait_full_service, wait_deep, wait_all,   wait_caught};

hel::task<> watched(world& w, waiting_task wait, log_type& log) {
  logged local(log, "local");
  ++w.waiting;
  co_await wait(w);
  log.push_back("not reached");
}
hel::task<int> call_service(world& w) { co_return co_await w.service.call(busy{}); }
hel::task<int> call_full_service(world& w) { co_return co_await w.full_service.call(busy{}); }

hel::task<int> cancel_while_waiting(world& w, waiting_task wait, log_type& log, int yields) {
  co_await w.full.send(1);
  auto first = hel::spawn(call_service, w);  // keeps the service busy
  auto busy = hel::spawn(call_full_service, w), waits = hel::spawn(call_full_service, w);
  for (int i = 0; i < 20; ++i) co_await hel::yield();
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), watched, w, wait, log);
  while (yields > 0 && w.waiting == 0) co_await hel::yield();
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  source.cancel();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  // Everybody else still works, and nobody finds what has gone.
  w.never.set();
  w.open.set();
  w.issuer.complete();
  int one = co_await first + co_await busy - co_await waits;
  auto kept = co_await w.full.receive();
  co_await w.empty.send(5);
  auto sent = co_await w.empty.receive();
  bool intact = one == 1 && *kept == 1 && *sent == 5;
  co_return !r && intact ? r.error().code : 0;
}

hel::task<int> number(int n) { co_return n; }
hel::task<int> after_end() {
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), number, 3);
  while (!h.done()) co_await hel::yield();
  source.cancel();
  co_return co_await h;
}
hel::task<int> yields_once(int n) {
  co_await hel::yield();
  co_return n;
}
hel::task<bool> others_go_on() {
  hel::cancel_source source, other;
  source.cancel();
  auto a = hel::spawn(source.token(), yields_once, 1);
  auto b = hel::spawn(other.token(), yields_once, 2);
  auto c = hel::spawn(yields_once, 3);
  auto ra = co_await hel::as_expected(a);
  int sum = co_await b + co_await c;
  co_return !ra && ra.error().code == cancelled && sum == 5 && source.token().cancelled() && !other.token().cancelled();
}
hel::task<int> joined_fails() {
  co_await hel::yield();
  co_await hel::fail(4);
  co_return 0;
}
hel::task<int> joins_under_token() {
  auto h = hel::spawn(joined_fails);
  co_return co_await h;
}
// Under a token that is never used: failures and results come through.
hel::task<bool> unused_token() {
  hel::cancel_source source;
  auto a = hel::spawn(source.token(), joins_under_token);
  auto ra = co_await hel::as_expected(a);
  auto b = hel::spawn(source.token(), yields_once, 8);
  int rb = co_await b;
  co_return ra.error().code == 4 && rb == 8;
}
hel::task<long> nested(const hel::cancel_token& t, int depth) {
  if (depth == 0) co_return 0;
  auto h = hel::spawn(t, [&t, depth] { return nested(t, depth - 1); });
  co_return 1 + co_await h;
}
hel::task<long> deep_under_token(int depth) {
  hel::cancel_source source;
  hel::cancel_token t = source.token();
  co_return co_await nested(t, depth);
}

// A race of waking and cancelling: one of them wins, the task ends once, nothing is lost.
hel::task<> receives(hel::channel<int>& c, std::atomic<int>& got) {
  for (;;) {
    auto v = co_await c.receive();
    if (!v) co_return;
    ++got;
  }
}
hel::task<> waits_in_turn(hel::event& e, std::atomic<int>& ended) {
  struct counted {
    std::atomic<int>* n;
    ~counted() { ++*n; }
  } c{&ended};
  co_await hel::sleep_for(1us);
  co_await e.wait();
}
hel::task<> sets(hel::event& e) {
  e.set();
  co_return;
}
hel::task<> sends(hel::channel<int>& c) {
  for (int i = 0; i < 4; ++i) co_await c.send(i);
}
hel::task<bool> race(int rounds) {
  std::atomic<int> ended = 0, got = 0;
  for (int i = 0; i < rounds; ++i) {
    hel::cancel_source source;
    hel::event e;
    hel::channel<int> c(4);
    auto a = hel::spawn(source.token(), waits_in_turn, e, ended);
    auto b = hel::spawn(source.token(), receives, c, got);
    for (int k = 0; k < i % 4; ++k) co_await hel::yield();
    auto x = hel::spawn(sets, e);
    auto y = hel::spawn(sends, c);
    source.cancel();
    (void)co_await hel::as_expected(a);
    auto r = co_await hel::as_expected(b);
    if (r) co_return false;  // the channel is never closed
    co_await x;
    co_await y;
  }
  co_return ended == rounds;
}

hel::task<> sleeps_for_ever() {
  for (;;) co_await hel::sleep_for(std::chrono::hours(1));
}
hel::task<> waits_for(hel::event& e) { co_await e.wait(); }
// The one that sleeps is the first to be withdrawn: then no timer is set, and no task is ready.
hel::task<int> one_sleeps(int others, hel::cancel_source& source, std::atomic<bool>& asleep) {
  hel::event never;
  std::vector<hel::join_handle<void>> all;
  for (int i = 0; i < others; ++i) all.push_back(hel::spawn(source.token(), waits_for, never));
  co_await hel::yield();
  all.push_back(hel::spawn(source.token(), sleeps_for_ever));
  co_await hel::yield();
  asleep = true;
  int ended = 0;
  for (auto& h : all) {
    auto r = co_await hel::as_expected(h);
    ended += !r && r.error().code == cancelled;
  }
  co_return ended;
}

}  // namespace

TEST_CASE("cancel during each kind of suspension") {
  for (const hel::cpu& settings : all_executors()) {
    for (std::size_t kind = 0; kind < std::size(all_kinds); ++kind) {
      for (int yields : {0, 1, 60}) {
        CAPTURE(settings.threads);
        CAPTURE(kind);
        CAPTURE(yields);
        log_type log;
        world w;
        hel::runtime rt(settings);
        w.service = rt.start_service<slow_service>({}, &w.open);
        w.full_service = rt.start_service<slow_service>({.capacity = 1}, &w.open);
        CHECK(rt.launch(cancel_while_waiting, w, all_kinds[kind], log, yields).get() == cancelled);
        CHECK(log == log_type{"local"});
      }
    }
  }
}

TEST_CASE("a task that is over is not cancelled, nor are others") {
  on_all_executors([](int r) { CHECK(r == 3); }, after_end);
  on_all_executors([](bool r) { CHECK(r); }, others_go_on);
  on_all_executors([](bool r) { CHECK(r); }, unused_token);
  on_all_executors([](long r) { CHECK(r == 20000); }, deep_under_token, 20000);
}

TEST_CASE("waking and cancelling at the same time") {
  on_all_executors([](bool r) { CHECK(r); }, race, 200);
}

TEST_CASE("a thread that cancels is not overtaken by the verdict that nothing can go on") {
  for (int round = 0; round < 100; ++round) {
    hel::cancel_source source;
    std::atomic<bool> asleep = false;
    std::thread other([&] {
      while (!asleep) std::this_thread::yield();
      source.cancel();
    });
    hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
    auto app = rt.launch(one_sleeps, 1000, source, asleep);
    CHECK(app.get() == 1001);
    other.join();
  }
}

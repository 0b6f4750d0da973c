// Events, tickets and dependencies on the device: `waiting WHAT` prints what has come of it.
#include <chrono>
#include <cstdio>
#include <string>

#include "hel/hel.hpp"

using namespace std::chrono_literals;

// What tasks of all warps write to.
struct board {
  hel::core::atomic<int> value;
  HEL_HD void add(int n) { value.fetch_add_relaxed(n); }
  HEL_HD int get() const { return value.load_acquire(); }
};

HEL_TASK hel::task<void> adds(board& b, int n) {
  b.add(n);
  co_return;
}
HEL_TASK hel::task<void> waits_then_adds(hel::event& e, board& b, int n) {
  co_await e.wait();
  b.add(n);
}
HEL_TASK hel::task<void> many(hel::event& e, board& b, int n) {
  if (n == 1) {
    co_await waits_then_adds(e, b, 1);
    co_return;
  }
  co_await hel::when_all(many(e, b, n / 2), many(e, b, n - n / 2));
}
// All wait before it is set; then some that come later do not.
HEL_TASK hel::task<int> events(int n) {
  hel::event e;
  board b;
  auto all = hel::spawn(many, e, b, n);
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  if (b.get() != 0 || e.is_set()) co_return -1;
  e.set();
  co_await all;
  if (b.get() != n) co_return -2;
  co_await waits_then_adds(e, b, 1);
  e.reset();
  auto again = hel::spawn(waits_then_adds, e, b, 1);
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  if (b.get() != n + 1) co_return -3;
  e.set();
  co_await again;
  co_return b.get();
}

// Starts after an event, a task and a ticket; detached, so that only the board tells.
HEL_TASK hel::task<int> after(int) {
  hel::event e;
  hel::event over;
  board b;
  hel::ticket_issuer issuer;
  hel::ticket t = issuer.ticket();
  auto first = hel::spawn(waits_then_adds, e, b, 1);
  hel::dependency list[] = {hel::dependency(first), hel::dependency(e), hel::dependency(t)};
  auto last = hel::spawn_after(hel::dependency_list{list, 3}, adds, b, 10);
  hel::spawn_after(last, adds, b, 100).detach();
  auto seen = hel::spawn_after(e, adds, b, 1000);
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  if (b.get() != 0) co_return -1;
  e.set();
  co_await first;
  co_await seen;
  if (b.get() != 1001 || last.done()) co_return -2;
  issuer.complete();
  co_await last;
  while (b.get() != 1111) co_await hel::yield();
  auto r = co_await t.wait();
  co_return r ? b.get() : -3;
}

HEL_TASK hel::task<int> asks(hel::ticket t) {
  auto r = co_await t.wait();
  co_return r ? 1 : r.error().code;
}
// An issuer that goes: who waits is told, and what was to start fails.
HEL_TASK hel::task<int> abandoned(int) {
  board b;
  hel::join_handle<int> waiting;
  {
    hel::ticket_issuer issuer;
    const hel::ticket t = issuer.ticket();
    waiting = hel::spawn(asks, t);
    auto after_it = hel::spawn_after(t, adds, b, 1);
    for (int i = 0; i < 50; ++i) co_await hel::yield();
    hel::ticket_issuer gone(static_cast<hel::ticket_issuer&&>(issuer));
    if (issuer.valid() || waiting.done() || after_it.done()) co_return -1;
    { hel::ticket_issuer last(static_cast<hel::ticket_issuer&&>(gone)); }
    auto r = co_await hel::as_expected(after_it);
    if (r || r.error().code != static_cast<int>(hel::errc::abandoned) || b.get() != 0) co_return -2;
  }
  co_return co_await waiting;
}

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  hel::runtime rt{hel::cuda{.threads_per_block = 64, .frame_memory = 4u << 20, .watchdog = 10000ms}};
  if (what == "events")
    std::printf("%d\n", rt.launch(events, 500).get());
  else if (what == "after")
    std::printf("%d\n", rt.launch(after, 0).get());
  else if (what == "abandoned")
    std::printf("%d\n", rt.launch(abandoned, 0).get());
  else
    return 2;
}

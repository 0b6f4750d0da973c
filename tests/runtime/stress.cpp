// Everything at once, for the sanitizers: spawning trees whose tasks suspend in all ways, and fail here and there.
#include <atomic>

#include "support.hpp"

namespace {

int host_work(int n) {
  if (n % 97 == 0) throw hel::failure(hel::error(97));
  return n;
}

hel::task<int> leaf(hel::channel<int>& ch, int n) {
  if (n % 11 == 0) co_await hel::fail(11);
  if (n % 3 == 0) co_await hel::yield();
  if (n % 5 == 0) {
    auto r = co_await hel::as_expected(hel::host(host_work, n));
    if (!r) co_return 0;
  }
  if (n % 7 == 0) {
    co_await ch.send(n);
    auto v = co_await ch.receive();
    if (v) co_return 1;
  }
  co_return 1;
}

hel::task<int> node(hel::channel<int>& ch, int depth, int seed) {
  if (depth == 0) {
    auto r = co_await hel::as_expected(leaf(ch, seed));
    co_return r.value_or(1);
  }
  auto a = hel::spawn(node, ch, depth - 1, seed * 2);
  auto b = hel::spawn(node, ch, depth - 1, seed * 2 + 1);
  auto r = co_await hel::when_all(node(ch, depth - 1, seed + 5), node(ch, depth - 1, seed + 9));
  int sum = hel::get<0>(r) + hel::get<1>(r);
  sum += co_await b;
  sum += co_await a;
  co_return sum;
}

hel::task<> failing_node(std::atomic<int>& live, int depth, int seed) {
  struct counted {
    explicit counted(std::atomic<int>& c) : n(&c) { ++*n; }
    counted(const counted&) = delete;
    ~counted() { --*n; }
    std::atomic<int>* n;
  };
  counted c(live);
  if (depth == 0) {
    if (seed % 2 == 0) co_await hel::fail(1);
    co_return;
  }
  auto h = hel::spawn(failing_node, live, depth - 1, seed * 3 + 1);
  co_await hel::yield();
  auto r = co_await hel::as_expected(failing_node(live, depth - 1, seed + 1));
  if (!r && seed % 3 == 0) co_await hel::fail(r.error());
  co_await h;
}

}  // namespace

TEST_CASE("stress: spawn, when_all, channel, host, yield and failures together") {
  for (const hel::cpu& settings : all_executors()) {
    // As many slots as tasks, so that a send never waits for a receive that its own task would do next.
    hel::channel<int> ch(1024);
    hel::runtime rt(settings);
    auto a = rt.launch(node, ch, 5, 1);
    auto b = rt.launch(node, ch, 5, 2);
    CHECK(a.get() <= 1024);
    CHECK(b.get() <= 1024);
  }
}

TEST_CASE("stress: failures leave nothing behind") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> live = 0;
    {
      hel::runtime rt(settings);
      for (int i = 0; i < 20; ++i) auto dropped = rt.launch(failing_node, live, 7, i);
    }
    CHECK(live == 0);
  }
}

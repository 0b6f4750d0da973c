// Channels: order, back-pressure, closing, many parties, values of all kinds.
#include <atomic>
#include <memory>

#include "support.hpp"

namespace {

hel::task<> send_range(hel::channel<int>& ch, int first, int count) {
  for (int i = 0; i < count; ++i) co_await ch.send(first + i);
}
hel::task<std::vector<int>> receive_all(hel::channel<int>& ch) {
  std::vector<int> all;
  for (;;) {
    auto v = co_await ch.receive();
    if (!v) break;
    all.push_back(*v);
  }
  co_return all;
}
hel::task<bool> in_order(std::size_t capacity, int n) {
  hel::channel<int> ch(capacity);
  auto receiver = hel::spawn(receive_all, ch);
  co_await send_range(ch, 0, n);
  ch.close();
  std::vector<int> got = co_await receiver;
  bool ok = got.size() == static_cast<std::size_t>(n);
  for (int i = 0; ok && i < n; ++i) ok = got[static_cast<std::size_t>(i)] == i;
  co_return ok;
}

hel::task<> fill(hel::channel<int>& ch, std::atomic<int>& sent) {
  for (int i = 0; i < 10; ++i) {
    co_await ch.send(i);
    ++sent;
  }
}
hel::task<bool> back_pressure() {
  hel::channel<int> ch(3);
  std::atomic<int> sent = 0;
  auto sender = hel::spawn(fill, ch, sent);
  for (int i = 0; i < 200; ++i) co_await hel::yield();
  int before = sent;
  auto v = co_await ch.receive();
  for (int i = 0; i < 200; ++i) co_await hel::yield();
  int after = sent;
  for (int i = 0; i < 9; ++i) co_await ch.receive();
  co_await sender;
  co_return before <= 3 && *v == 0 && after <= 4 && sent == 10;
}

hel::task<int> count_received(hel::channel<int>& ch) {
  int n = 0;
  for (;;) {
    auto v = co_await ch.receive();
    if (!v) break;
    ++n;
  }
  co_return n;
}
hel::task<long> sum_received(hel::channel<int>& ch) {
  long sum = 0;
  for (;;) {
    auto v = co_await ch.receive();
    if (!v) break;
    sum += *v;
  }
  co_return sum;
}
hel::task<bool> many_to_many(std::size_t capacity, int parties, int each) {
  hel::channel<int> ch(capacity);
  std::vector<hel::join_handle<long>> receivers;
  for (int i = 0; i < parties; ++i) receivers.push_back(hel::spawn(sum_received, ch));
  std::vector<hel::task<>> senders;
  for (int i = 0; i < parties; ++i) senders.push_back(send_range(ch, i * each, each));
  co_await hel::when_all(std::move(senders));
  ch.close();
  long sum = 0;
  for (auto& r : receivers) sum += co_await r;
  long n = static_cast<long>(parties) * each;
  co_return sum == n*(n - 1) / 2;
}

hel::task<int> send_one(hel::channel<int>& ch, int v) {
  bool sent = co_await ch.send(v);
  co_return sent ? 1 : 0;
}
hel::task<bool> closing() {
  hel::channel<int> ch(2);
  co_await ch.send(1);
  co_await ch.send(2);
  auto blocked = hel::spawn(send_one, ch, 3);
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  ch.close();
  ch.close();
  int waited = co_await blocked;  // refused: it did not fit
  int late = co_await send_one(ch, 4);
  auto a = co_await ch.receive();
  auto b = co_await ch.receive();
  auto c = co_await ch.receive();
  co_return waited == 0 && late == 0 && *a == 1 && *b == 2 && !c && c.error() == hel::errc::closed && ch.closed();
}
hel::task<bool> closing_wakes_receivers() {
  hel::channel<int> ch(1);
  auto a = hel::spawn(count_received, ch);
  auto b = hel::spawn(count_received, ch);
  for (int i = 0; i < 50; ++i) co_await hel::yield();
  ch.close();
  int na = co_await a;
  int nb = co_await b;
  co_return na + nb == 0;
}

hel::task<> send_boxes(hel::channel<std::unique_ptr<int>>& ch, int n) {
  for (int i = 0; i < n; ++i) co_await ch.send(std::make_unique<int>(i));
  ch.close();
}
hel::task<int> move_only(std::size_t capacity) {
  hel::channel<std::unique_ptr<int>> ch(capacity);
  auto sender = hel::spawn(send_boxes, ch, 100);
  int sum = 0;
  for (;;) {
    auto box = co_await ch.receive();
    if (!box) break;
    sum += **box;
  }
  co_await sender;
  co_return sum;
}
hel::task<int> leaves_values_inside(std::shared_ptr<int> p) {
  hel::channel<std::shared_ptr<int>> ch(4);
  co_await ch.send(p);
  co_await ch.send(p);
  co_return static_cast<int>(p.use_count());
}

hel::task<> echo(hel::channel<int>& in, hel::channel<int>& out) {
  for (;;) {
    auto v = co_await in.receive();
    if (!v) break;
    co_await out.send(*v + 1);
  }
  out.close();
}
hel::task<long> pipeline(int stages, int n) {
  std::vector<std::unique_ptr<hel::channel<int>>> links;
  for (int i = 0; i <= stages; ++i) {
    links.push_back(std::make_unique<hel::channel<int>>(static_cast<std::size_t>(i % 3)));
  }
  std::vector<hel::join_handle<void>> running;
  for (std::size_t i = 0; i + 1 < links.size(); ++i) running.push_back(hel::spawn(echo, *links[i], *links[i + 1]));
  auto last = hel::spawn(sum_received, *links.back());
  co_await send_range(*links.front(), 0, n);
  links.front()->close();
  for (auto& r : running) co_await r;
  co_return co_await last;
}

// Sent from one runtime, received in another.
hel::task<> feed_other(hel::channel<int>& ch, int n) {
  for (int i = 0; i < n; ++i) co_await ch.send(i);
  ch.close();
}

}  // namespace

TEST_CASE("values arrive in order, whatever the capacity") {
  for (std::size_t capacity : {0u, 1u, 2u, 7u, 64u}) {
    CAPTURE(capacity);
    on_all_executors([](bool r) { CHECK(r); }, in_order, capacity, 1000);
  }
}

TEST_CASE("a sender suspends while the channel is full") {
  on_all_executors([](bool r) { CHECK(r); }, back_pressure);
}

TEST_CASE("many senders, many receivers") {
  for (std::size_t capacity : {0u, 1u, 16u}) {
    on_all_executors([](bool r) { CHECK(r); }, many_to_many, capacity, 8, 500);
  }
}

TEST_CASE("closing") {
  on_all_executors([](bool r) { CHECK(r); }, closing);
  on_all_executors([](bool r) { CHECK(r); }, closing_wakes_receivers);
}

TEST_CASE("values that only move, and values left inside") {
  for (std::size_t capacity : {0u, 3u}) on_all_executors([](int r) { CHECK(r == 4950); }, move_only, capacity);
  auto p = std::make_shared<int>(1);
  on_all_executors([](int r) { CHECK(r >= 3); }, leaves_values_inside, p);
  CHECK(p.use_count() == 1);
}

TEST_CASE("a pipeline of tasks") {
  on_all_executors([](long r) { CHECK(r == 4950 + 100 * 20); }, pipeline, 20, 100);
}

TEST_CASE("a channel between two runtimes") {
  hel::channel<int> ch(4);
  hel::runtime a(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  hel::runtime b(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  auto received = b.launch(sum_received, ch);
  auto sent = a.launch(feed_other, ch, 1000);
  sent.get();
  CHECK(received.get() == 499500);
}

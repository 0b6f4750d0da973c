// Spawned tasks: joined early, late, never; failing; made from callables of all kinds.
#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>

#include "support.hpp"

namespace {

hel::task<int> twice(int n) { co_return 2 * n; }
hel::task<int> slow(int n) {
  for (int i = 0; i < 100; ++i) co_await hel::yield();
  co_return n;
}

hel::task<int> join_late() {
  auto h = hel::spawn(twice, 21);
  while (!h.done()) co_await hel::yield();
  co_return co_await h;
}
hel::task<int> join_early() {
  auto h = hel::spawn(slow, 5);
  co_return co_await h;
}
hel::task<long> many(int n) {
  std::vector<hel::join_handle<int>> handles;
  for (int i = 0; i < n; ++i) handles.push_back(hel::spawn(twice, i));
  long sum = 0;
  for (auto& h : handles) sum += co_await h;
  co_return sum;
}
hel::task<long> tree(int depth) {
  if (depth == 0) co_return 1;
  auto left = hel::spawn(tree, depth - 1);
  long right = co_await tree(depth - 1);
  co_return co_await left + right;
}

hel::task<> count(std::atomic<int>& n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  ++n;
}
hel::task<> detach_some(std::atomic<int>& n) {
  for (int i = 0; i < 50; ++i) hel::spawn(count, n, i % 5).detach();
  co_return;
}
hel::task<bool> handle_states() {
  auto a = hel::spawn(twice, 1);
  auto b = std::move(a);
  bool moved = !a.valid() && b.valid();
  int r = co_await b;
  co_return moved&& r == 2 && !b.valid();
}

// How many there are at most of tasks that were spawned and are not over.
hel::task<> one_less(std::atomic<int>& alive) {
  --alive;
  co_return;
}
hel::task<int> most_alive(int n) {
  std::atomic<int> alive = 0;
  int most = 0;
  for (int i = 0; i < n; ++i) {
    ++alive;
    hel::spawn(one_less, alive).detach();
    most = std::max(most, alive.load());
  }
  while (alive > 0) co_await hel::yield();
  co_return most;
}
// Each spawns the next before it ends, beside many others.
hel::task<> next_of(std::atomic<int>& over, int depth) {
  if (depth > 0) hel::spawn(next_of, over, depth - 1).detach();
  ++over;
  co_return;
}
hel::task<int> deep(int others, int depth) {
  std::atomic<int> over = 0;
  for (int i = 0; i < others; ++i) hel::spawn(next_of, over, 0).detach();
  hel::spawn(next_of, over, depth).detach();
  while (over < others + depth + 1) co_await hel::yield();
  co_return over.load();
}
// A task that runs inside spawn and fails there leaves its frame to the next one.
hel::task<int> doubles_or_fails(int n) {
  if (n < 0) co_await hel::fail(6);
  co_return 2 * n;
}
hel::task<int> with_a_larger_frame(int n) {
  int several[64];
  for (int i = 0; i < 64; ++i) several[i] = i + n / 64 * 64;
  if (n < 0) co_await hel::fail(6);
  co_return 2 * several[n & 63];
}
hel::task<int> joins(hel::join_handle<int>& h) { co_return co_await h; }
hel::task<int> joins_what_failed_inside(int others) {
  std::vector<hel::join_handle<int>> waiting, later;
  for (int i = 0; i < 1014; ++i) waiting.push_back(hel::spawn(doubles_or_fails, i));
  for (int i = 1014; i < 1024; ++i) waiting.push_back(hel::spawn(with_a_larger_frame, i));
  hel::join_handle<int> failed;
  auto joining = joins(failed);  // a frame that is there before
  failed = hel::spawn(doubles_or_fails, -1);
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += co_await waiting.back();
    waiting.pop_back();
  }
  for (int i = 0; i < others; ++i) later.push_back(hel::spawn(doubles_or_fails, 0));
  const auto r = co_await hel::as_expected(std::move(joining));
  for (auto& h : later) sum += co_await h;
  for (auto& h : waiting) sum += co_await h;
  co_return r ? -1 : sum + 10000000 * r.error().code;
}

hel::task<int> fails(std::vector<std::string>& log) {
  logged local(log, "child");
  co_await hel::yield();
  co_await hel::fail(8);
  co_return 0;
}
hel::task<int> joins_failing(std::vector<std::string>& log) {
  logged local(log, "parent");
  auto h = hel::spawn(fails, log);
  int n = co_await h;
  log.push_back("not reached");
  co_return n;
}
hel::task<int> joins_failed(std::vector<std::string>& log) {
  logged local(log, "parent");
  auto h = hel::spawn(fails, log);
  while (!h.done()) co_await hel::yield();
  int n = co_await h;
  log.push_back("not reached");
  co_return n;
}
hel::task<int> expects_failing(std::vector<std::string>& log, bool late) {
  auto h = hel::spawn(fails, log);
  while (late && !h.done()) co_await hel::yield();
  auto r = co_await hel::as_expected(h);
  co_return r ? 0 : r.error().code;
}
hel::task<> throws() {
  throw std::runtime_error("from a spawned task");
  co_return;
}
hel::task<> joins_throwing() {
  auto h = hel::spawn(throws);
  co_await h;
}
hel::task<> drops_failing(std::vector<std::string>& log) {
  hel::spawn(fails, log).detach();
  hel::spawn(throws).detach();
  co_return;
}

struct with_state {
  std::shared_ptr<int> state;
  hel::task<int> operator()(int n) {
    co_await hel::yield();
    co_return *state + n;  // *this is the copy that the runtime keeps
  }
};
hel::task<bool> spawns_functor() {
  auto state = std::make_shared<int>(40);
  auto h = hel::spawn(with_state{state}, 2);
  int r = co_await h;
  co_return r == 42 && state.use_count() == 1;
}
hel::task<int> spawns_lambda() {
  int captured = 4;
  auto h = hel::spawn([captured](int n) { return twice(captured + n); }, 1);
  co_return co_await h;
}
hel::task<std::unique_ptr<int>> move_only(std::unique_ptr<int> p) {
  co_await hel::yield();
  co_return p;
}
hel::task<int> spawns_move_only() {
  auto h = hel::spawn(move_only, std::make_unique<int>(6));
  auto p = co_await h;
  co_return *p;
}

template <class F, class... Args>
constexpr bool spawnable = hel::detail::call_check<F, Args...>::value;

}  // namespace

TEST_CASE("joining before and after completion") {
  on_all_executors([](int r) { CHECK(r == 42); }, join_late);
  on_all_executors([](int r) { CHECK(r == 5); }, join_early);
  on_all_executors([](bool r) { CHECK(r); }, handle_states);
}

TEST_CASE("many at once, and trees of them") {
  on_all_executors([](long r) { CHECK(r == 99990000); }, many, 10000);
  on_all_executors([](long r) { CHECK(r == 4096); }, tree, 12);
}

TEST_CASE("where many tasks wait, the next one runs inside spawn") {
  hel::runtime one(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  CHECK(one.launch(most_alive, 100000).get() <= 1025);
  on_all_executors([](int r) { CHECK(r == 53001); }, deep, 3000, 50000);
  for (int others = 0; others < 4; ++others)
    on_all_executors([](int r) { CHECK(r == 1023 * 1024 + 60000000); }, joins_what_failed_inside, others);
}

TEST_CASE("detached tasks run to their end before the runtime is gone") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      auto app = rt.launch(detach_some, n);
    }
    CHECK(n == 50);
  }
}

TEST_CASE("a failed child fails who joins it") {
  using log_type = std::vector<std::string>;
  for (const hel::cpu& settings : all_executors()) {
    for (auto f : {joins_failing, joins_failed}) {
      log_type log;
      hel::runtime rt(settings);
      CHECK(rt.launch(f, log).get_expected().error().code == 8);
      CHECK(log == log_type{"child", "parent"});
    }
    for (bool late : {false, true}) {
      log_type log;
      hel::runtime rt(settings);
      CHECK(rt.launch(expects_failing, log, late).get() == 8);
      CHECK(log == log_type{"child"});
    }
  }
}

TEST_CASE("a child's exception reaches who joins it, and nobody when it is detached") {
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    CHECK_THROWS_WITH(rt.launch(joins_throwing).get(), "from a spawned task");
    rt.launch(drops_failing, log).get();
  }
}

TEST_CASE("callables with state are kept until the task is over") {
  on_all_executors([](bool r) { CHECK(r); }, spawns_functor);
  on_all_executors([](int r) { CHECK(r == 10); }, spawns_lambda);
  on_all_executors([](int r) { CHECK(r == 6); }, spawns_move_only);
}

TEST_CASE("temporaries are not bound to reference parameters") {
  using by_reference = hel::task<> (*)(const std::string&);
  using by_value = hel::task<> (*)(std::string);
  CHECK(spawnable<by_reference, std::string&>);
  CHECK(spawnable<by_reference, const std::string&>);
  CHECK(!spawnable<by_reference, std::string&&>);
  CHECK(!spawnable<by_reference, const char(&)[4]>);
  CHECK(spawnable<by_value, std::string&&>);
  CHECK(spawnable<by_value, const char(&)[4]>);
}

TEST_CASE("spawn outside a task is refused") { CHECK_THROWS_AS((void)hel::spawn(twice, 1), std::logic_error); }

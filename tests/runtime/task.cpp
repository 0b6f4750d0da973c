// Results of every kind, laziness, recursion.
#include <memory>
#include <stdexcept>

#include "support.hpp"

namespace {

hel::task<int> answer() { co_return 42; }
hel::task<int> add(int a, int b) { co_return a + b; }
hel::task<int> nested(int depth) {
  if (depth == 0) co_return 0;
  int below = co_await nested(depth - 1);
  co_return below + 1;
}
hel::task<int> arguments() { co_return co_await add(co_await answer(), co_await add(1, 2)); }

hel::task<> touch(int& n) {
  ++n;
  co_return;
}
hel::task<int> call_void() {
  int n = 0;
  co_await touch(n);
  co_await touch(n);
  co_return n;
}

hel::task<std::string&> pick(std::string& a, std::string& b, bool first) {
  if (first) co_return a;
  co_return b;
}
hel::task<std::string> through_reference() {
  std::string a = "a", b = "b";
  (co_await pick(a, b, false)) += "!";
  co_return a + b;
}

hel::task<std::unique_ptr<int>> boxed(int n) { co_return std::make_unique<int>(n); }
hel::task<int> unbox() {
  std::unique_ptr<int> p = co_await boxed(7);
  co_return *p;
}
hel::task<int> consume(std::unique_ptr<int> p) { co_return *p; }
hel::task<int> pass_move_only() {
  auto p = std::make_unique<int>(9);
  co_return co_await consume(std::move(p));
}

struct no_default {
  explicit no_default(int v) : value(v) {}
  int value;
};
hel::task<no_default> make_no_default() { co_return no_default(3); }
hel::task<int> use_no_default() {
  no_default n = co_await make_no_default();
  co_return n.value;
}

hel::task<int> started(bool& flag) {
  flag = true;
  co_return 1;
}
hel::task<int> lazily() {
  bool flag = false;
  auto t = started(flag);
  if (flag) co_return -1;
  int r = co_await std::move(t);
  co_return flag ? r : -2;
}
hel::task<int> never_awaited() {
  bool flag = false;
  {
    auto t = started(flag);
    (void)t;
  }
  co_return flag ? 1 : 0;
}

hel::task<int> throws(int n) {
  if (n > 0) throw std::runtime_error("thrown in a task");
  co_return n;
}
hel::task<int> rethrows(std::vector<std::string>& log) {
  logged local(log, "outer");
  int n = co_await throws(1);
  co_return n;
}

struct counter {
  int base;
  hel::task<int> plus(int n) { co_return base + n; }
  hel::task<int> twice(int n) {
    int a = co_await plus(n);
    int b = co_await plus(a);
    co_return b;
  }
};
hel::task<int> members() {
  counter c{10};
  co_return co_await c.twice(1);
}

hel::task<long> loop(int n) {
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += co_await add(i, 1);
  co_return sum;
}

}  // namespace

TEST_CASE("a task returns a value") {
  on_all_executors([](int r) { CHECK(r == 42); }, answer);
  on_all_executors([](int r) { CHECK(r == 45); }, arguments);
}

TEST_CASE("void, reference, move-only and other results") {
  on_all_executors([](int r) { CHECK(r == 2); }, call_void);
  on_all_executors([](const std::string& r) { CHECK(r == "ab!"); }, through_reference);
  on_all_executors([](int r) { CHECK(r == 7); }, unbox);
  on_all_executors([](int r) { CHECK(r == 9); }, pass_move_only);
  on_all_executors([](int r) { CHECK(r == 3); }, use_no_default);
}

TEST_CASE("a launched task may return a reference or something that moves only") {
  hel::runtime rt(hel::cpu{.threads = 1});
  std::string a = "a", b = "b";
  auto reference = rt.launch(pick, a, b, true);
  CHECK(&reference.get() == &a);
  auto owner = rt.launch(boxed, 5);
  CHECK(*owner.get() == 5);
}

TEST_CASE("a task starts when it is awaited, and may never be") {
  on_all_executors([](int r) { CHECK(r == 1); }, lazily);
  on_all_executors([](int r) { CHECK(r == 0); }, never_awaited);
}

TEST_CASE("recursion of any depth uses no stack") {
  on_all_executors([](int r) { CHECK(r == 200000); }, nested, 200000);
}

TEST_CASE("awaits that complete at once use no stack") {
  on_all_executors([](long r) { CHECK(r == 500000500000); }, loop, 1000000);
}

TEST_CASE("member functions are tasks") {
  on_all_executors([](int r) { CHECK(r == 21); }, members);
}

TEST_CASE("exceptions pass through awaits") {
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    auto app = rt.launch(rethrows, log);
    CHECK_THROWS_WITH_AS(app.get(), "thrown in a task", std::runtime_error);
    CHECK(log == std::vector<std::string>{"outer"});
  }
}

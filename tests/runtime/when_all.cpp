// when_all: results in order, failures and exceptions after everybody is over.
#include <memory>
#include <stdexcept>

#include "support.hpp"

namespace {

hel::task<int> number(int n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  co_return n;
}
hel::task<> nothing(int& n) {
  ++n;
  co_return;
}
hel::task<std::unique_ptr<int>> boxed(int n) { co_return std::make_unique<int>(n); }
hel::task<int&> reference(int& n) { co_return n; }

hel::task<bool> mixed() {
  int touched = 0, other = 1;
  auto r = co_await hel::when_all(number(1, 3), nothing(touched), boxed(3), reference(other), number(5, 0));
  *hel::get<3>(r) = 4;
  co_return hel::get<0>(r) == 1 && touched == 1 && *hel::get<2>(r) == 3 && other == 4 && hel::get<4>(r) == 5;
}
hel::task<int> single() {
  auto r = co_await hel::when_all(number(6, 1));
  co_return hel::get<0>(r);
}
hel::task<bool> in_order(int n) {
  std::vector<hel::task<int>> tasks;
  for (int i = 0; i < n; ++i) tasks.push_back(number(i, i % 3));
  auto r = co_await hel::when_all(std::move(tasks));
  bool ok = r.size() == static_cast<std::size_t>(n);
  for (int i = 0; ok && i < n; ++i) ok = r[static_cast<std::size_t>(i)] == i;
  co_return ok;
}
hel::task<int> vector_of_void(int n) {
  std::vector<int> touched(static_cast<std::size_t>(n));
  std::vector<hel::task<>> tasks;
  for (int& t : touched) tasks.push_back(nothing(t));
  co_await hel::when_all(std::move(tasks));
  int sum = 0;
  for (int t : touched) sum += t;
  co_return sum;
}
hel::task<long> tree(int depth) {
  if (depth == 0) co_return 1;
  auto r = co_await hel::when_all(tree(depth - 1), tree(depth - 1), tree(depth - 1));
  co_return hel::get<0>(r) + hel::get<1>(r) + hel::get<2>(r);
}

hel::task<int> fails(std::vector<std::string>& log, int code, int yields) {
  logged local(log, "member");
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  co_await hel::fail(code);
  co_return 0;
}
hel::task<int> two_fail(std::vector<std::string>& log) {
  logged local(log, "parent");
  // The second one to be written fails first.
  auto r = co_await hel::when_all(number(1, 9), fails(log, 21, 6), fails(log, 22, 0));
  log.push_back("not reached");
  co_return hel::get<0>(r);
}
hel::task<int> expects(std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(two_fail(log));
  co_return r ? 0 : r.error().code;
}
hel::task<int> vector_fails(std::vector<std::string>& log) {
  std::vector<hel::task<int>> tasks;
  for (int i = 0; i < 20; ++i) tasks.push_back(number(i, 1));
  tasks.push_back(fails(log, 33, 2));
  tasks.push_back(fails(log, 34, 0));
  auto r = co_await hel::when_all(std::move(tasks));
  co_return static_cast<int>(r.size());
}
hel::task<int> all_fail(std::vector<std::string>& log) {
  auto r = co_await hel::when_all(fails(log, 1, 0), fails(log, 2, 0));
  co_return hel::get<0>(r);
}
hel::task<int> throws(int n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  if (n > 0) throw std::runtime_error("member " + std::to_string(n));
  co_return n;
}
hel::task<int> two_throw() {
  auto r = co_await hel::when_all(throws(0, 0), throws(1, 5), throws(2, 0));
  co_return hel::get<0>(r);
}

}  // namespace

TEST_CASE("when_all of tasks of different types") {
  on_all_executors([](bool r) { CHECK(r); }, mixed);
  on_all_executors([](int r) { CHECK(r == 6); }, single);
}

TEST_CASE("when_all of many") {
  on_all_executors([](bool r) { CHECK(r); }, in_order, 2000);
  on_all_executors([](bool r) { CHECK(r); }, in_order, 0);
  on_all_executors([](int r) { CHECK(r == 100); }, vector_of_void, 100);
  on_all_executors([](long r) { CHECK(r == 2187); }, tree, 7);
}

TEST_CASE("when_all waits for everybody, then fails with the first failure in the order written") {
  using log_type = std::vector<std::string>;
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    log_type log;
    CHECK(rt.launch(expects, log).get() == 21);
    CHECK(log == log_type{"member", "member", "parent"});
    log.clear();
    CHECK(rt.launch(vector_fails, log).get_expected().error().code == 33);
    CHECK(log.size() == 2);
  }
  // With one worker the two members do not write to the log at once.
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  log_type log;
  CHECK(rt.launch(all_fail, log).get_expected().error().code == 1);
}

TEST_CASE("when_all passes on the first exception in the order written") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    CHECK_THROWS_WITH(rt.launch(two_throw).get(), "member 1");
  }
}

// hel::fail: how far it travels, what it destroys and in which order, who stops it.
#include <stdexcept>

#include "support.hpp"

namespace {

using log_type = std::vector<std::string>;
enum class my_code { disk = 12 };

hel::task<int> innermost(log_type& log, logged) {
  logged a(log, "inner a");
  logged b(log, "inner b");
  co_await hel::fail(5);
  log.push_back("not reached");
  co_return 1;
}
hel::task<int> middle(log_type& log) {
  logged local(log, "middle");
  int n = co_await innermost(log, logged(log, "inner parameter"));
  log.push_back("not reached");
  co_return n;
}
hel::task<int> outer(log_type& log) {
  logged local(log, "outer");
  auto r = co_await hel::as_expected(middle(log));
  log.push_back("handled");
  if (r.has_value()) co_return -1;
  co_return r.error().code;
}
// The order in which an exception runs the destructors.
const log_type expected_order{"inner b", "inner a", "inner parameter", "middle", "handled", "outer"};

hel::task<int> throwing(log_type& log, logged) {
  logged a(log, "inner a");
  logged b(log, "inner b");
  throw std::runtime_error("");
  co_return 1;
}

hel::task<int> returns_failure() { co_return hel::fail(my_code::disk); }
hel::task<> fails_void() { co_await hel::fail(hel::errc::closed); }
hel::task<int> fails_in_condition(bool b) {
  if (b) co_await hel::fail(77);
  co_return 1;
}
hel::task<int> passes_on() {
  co_await fails_void();
  co_return 1;
}
hel::task<int> values() {
  auto ok = co_await hel::as_expected(fails_in_condition(false));
  auto bad = co_await hel::as_expected(fails_in_condition(true));
  auto nothing = co_await hel::as_expected(fails_void());
  if (!ok || bad || nothing) co_return -1;
  co_return *ok + bad.error().code;
}
hel::task<int> with_fallback() {
  auto r = co_await hel::as_expected(returns_failure());
  co_return r.value_or(3);
}
hel::task<int> deep(int n) {
  if (n == 0) co_await hel::fail(9);
  int below = co_await deep(n - 1);
  co_return below;
}
hel::task<int> fails_deep(int n) {
  auto r = co_await hel::as_expected(deep(n));
  co_return r ? 0 : r.error().code;
}
hel::task<int> as_exception() {
  throw hel::failure(hel::error(31));
  co_return 0;
}
hel::task<int> catches_as_value() {
  auto r = co_await hel::as_expected(as_exception());
  co_return r ? 0 : r.error().code;
}
hel::task<int> expects_but_gets_exception(log_type& log) {
  auto r = co_await hel::as_expected(throwing(log, logged(log, "inner parameter")));
  co_return r ? 0 : 1;
}
hel::task<bool> failed_task_is_empty() {
  auto t = fails_void();
  auto r = co_await hel::as_expected(std::move(t));
  co_return !r && !t;
}

}  // namespace

TEST_CASE("a failure destroys the tasks on its way, the innermost first, and stops at as_expected") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    auto app = rt.launch(outer, log);
    CHECK(app.get() == 5);
    CHECK(log == expected_order);
  }
}

TEST_CASE("a failure that nobody expects reaches the application's handle") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    auto app = rt.launch(middle, log);
    auto r = app.get_expected();
    REQUIRE(!r);
    CHECK(r.error() == hel::error(5));
    CHECK(log == log_type{"inner b", "inner a", "inner parameter", "middle"});
    auto second = rt.launch(middle, log);
    CHECK_THROWS_AS(second.get(), hel::failure);
  }
}

TEST_CASE("co_return fail, enumerators, errc and void tasks") {
  hel::runtime rt(hel::cpu{.threads = 1});
  CHECK(rt.launch(returns_failure).get_expected().error().code == 12);
  CHECK(rt.launch(passes_on).get_expected().error() == hel::errc::closed);
  CHECK(rt.launch(values).get() == 78);
  CHECK(rt.launch(with_fallback).get() == 3);
  CHECK(rt.launch(failed_task_is_empty).get());
}

TEST_CASE("a failure from far below uses no stack") {
  on_all_executors([](int r) { CHECK(r == 9); }, fails_deep, 200000);
}

TEST_CASE("the exception hel::failure and a failure are the same") {
  on_all_executors([](int r) { CHECK(r == 31); }, catches_as_value);
}

TEST_CASE("as_expected does not catch other exceptions") {
  log_type log;
  hel::runtime rt(hel::cpu{.threads = 1});
  CHECK_THROWS_AS(rt.launch(expects_but_gets_exception, log).get(), std::runtime_error);
  CHECK(log == log_type{"inner b", "inner a", "inner parameter"});
}

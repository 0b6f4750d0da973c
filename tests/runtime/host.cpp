// Host calls: results, errors, concurrency, more calls than the mailbox holds; registered functions, time-outs.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <semaphore>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace registered {

struct triple {
  std::uint64_t operator()(std::uint64_t n) const { return 3 * n; }
};
struct block {  // as large as may be
  unsigned char bytes[65536];
};
struct invert {
  block operator()(const block& b) const {
    block r;
    for (std::size_t i = 0; i < sizeof(b.bytes); ++i) r.bytes[i] = static_cast<unsigned char>(~b.bytes[i]);
    return r;
  }
};
struct mixed {
  double operator()(char c, double d, std::int16_t s) { return c + d + s; }
};
struct fails {
  int operator()(int code) const {
    if (code == 0) throw std::runtime_error("on the host");
    throw hel::failure(hel::error(code));
  }
};
// Counts how often each number was served.
std::vector<std::atomic<int>> served(1000000);
struct serve {
  std::uint32_t operator()(std::uint32_t n) const {
    ++served[n];
    return n ^ 0xabcdu;
  }
};
// Functions that wait until they are let go.
std::counting_semaphore<> gate{0};
std::atomic<int> inside = 0, left = 0;
struct stuck {
  int operator()(int n) const {
    ++inside;
    gate.acquire();
    ++left;
    return n;
  }
};
struct note {
  void operator()(int* to, int n) const { *to = n; }
};

}  // namespace registered

HEL_HOST_FUNCTION(registered::triple);
HEL_HOST_FUNCTION(registered::invert);
HEL_HOST_FUNCTION(registered::mixed);
HEL_HOST_FUNCTION(registered::fails);
HEL_HOST_FUNCTION(registered::serve);
HEL_HOST_FUNCTION(registered::stuck);
HEL_HOST_FUNCTION(registered::note);

namespace {

using namespace std::chrono_literals;
using log_type = std::vector<std::string>;

int square(int n) { return n * n; }
int throws(int) { throw std::runtime_error("on the host"); }
int fails_with(int code) { throw hel::failure(hel::error(code)); }
std::thread::id where() { return std::this_thread::get_id(); }
void bump(int& n) { ++n; }
int slowly(int n) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return n;
}

hel::task<int> calls() {
  int a = co_await hel::host(square, 3);
  int b = co_await hel::host([a](int n) { return a + n; }, 1);
  co_return b;
}
hel::task<int> by_reference() {
  int n = 0;
  co_await hel::host(bump, std::ref(n));
  co_await hel::host(bump, std::ref(n));
  co_return n;
}
hel::task<std::string> moved_arguments() {
  auto p = std::make_unique<std::string>("moved");
  std::string s = co_await hel::host([](std::unique_ptr<std::string> q) { return *q; }, std::move(p));
  co_return s;
}
hel::task<bool> elsewhere() {
  std::thread::id here = std::this_thread::get_id();
  std::thread::id there = co_await hel::host(where);
  co_return here != there;
}

hel::task<int> call_throwing(log_type& log) {
  logged local(log, "caller");
  int n = co_await hel::host(throws, 1);
  log.push_back("not reached");
  co_return n;
}
hel::task<int> expects(log_type& log) {
  auto r = co_await hel::as_expected(call_throwing(log));
  co_return r ? 0 : r.error().code;
}
hel::task<int> expects_directly(int code) {
  auto good = co_await hel::as_expected(hel::host(square, 5));
  auto bad = co_await hel::as_expected(hel::host(fails_with, code));
  co_return *good + bad.error().code;
}

hel::task<int> one(int n) {
  int r = co_await hel::host(square, n);
  co_return r;
}
hel::task<long> flood(int n) {
  std::vector<hel::task<int>> all;
  for (int i = 0; i < n; ++i) all.push_back(one(i % 100));
  auto results = co_await hel::when_all(std::move(all));
  long sum = 0;
  for (int r : results) sum += r;
  co_return sum;
}
hel::task<int> slow_call(int n) { co_return co_await hel::host(slowly, n); }
hel::task<int> slow_calls() {
  auto r = co_await hel::when_all(slow_call(1), slow_call(2), slow_call(3), slow_call(4));
  co_return hel::get<0>(r) + hel::get<1>(r) + hel::get<2>(r) + hel::get<3>(r);
}
hel::task<int> spin_until(std::atomic<bool>& flag) {
  int n = 0;
  while (!flag) {
    co_await hel::yield();
    ++n;
  }
  co_return n;
}
hel::task<int> call_and_set(std::atomic<bool>& flag) {
  int n = co_await hel::host(slowly, 1);
  flag = true;
  co_return n;
}

hel::task<std::uint64_t> call_triple(std::uint64_t n) { co_return co_await hel::host(registered::triple{}, n); }
hel::task<double> call_mixed() { co_return co_await hel::host(registered::mixed{}, 'a', 0.5, 3); }
hel::task<bool> call_invert() {
  auto b = std::make_unique<registered::block>();
  std::iota(std::begin(b->bytes), std::end(b->bytes), static_cast<unsigned char>(0));
  auto r = co_await hel::host(registered::invert{}, *b);
  for (std::size_t i = 0; i < sizeof(r.bytes); ++i)
    if (r.bytes[i] != static_cast<unsigned char>(~b->bytes[i])) co_return false;
  co_return true;
}
hel::task<int> call_inverts(int n) {
  std::vector<hel::task<bool>> all;
  for (int i = 0; i < n; ++i) all.push_back(call_invert());
  auto r = co_await hel::when_all(std::move(all));
  co_return static_cast<int>(std::count(r.begin(), r.end(), true));
}
hel::task<int> call_note() {
  int n = 0;
  co_await hel::host(registered::note{}, &n, 5);
  co_return n;
}
hel::task<int> call_fails(int code) {
  auto r = co_await hel::as_expected(hel::host(registered::fails{}, code));
  co_return r ? 0 : r.error().code;
}
hel::task<int> fails_in_turn(int code) { co_return co_await hel::host(registered::fails{}, code); }
hel::task<bool> serve_range(std::uint32_t first, std::uint32_t n) {
  bool right = true;
  for (std::uint32_t i = first; i < first + n; ++i) {
    std::uint32_t r = co_await hel::host(registered::serve{}, i);
    right = right && r == (i ^ 0xabcdu);
  }
  co_return right;
}
hel::task<bool> serve_all(std::uint32_t n) {
  std::vector<hel::task<bool>> all;
  for (std::uint32_t i = 0; i < 64; ++i) all.push_back(serve_range(i * (n / 64), n / 64));
  auto r = co_await hel::when_all(std::move(all));
  co_return std::count(r.begin(), r.end(), true) == 64;
}

constexpr int timed_out = static_cast<int>(hel::errc::timed_out);
hel::task<int> call_stuck(std::chrono::milliseconds t) {
  co_return co_await hel::host(registered::stuck{}, 1).within(t);
}
hel::task<int> code_of_stuck(std::chrono::milliseconds t) {
  auto r = co_await hel::as_expected(call_stuck(t));
  co_return r ? *r : r.error().code;
}
hel::task<int> many_stuck(int n) {
  std::vector<hel::task<int>> all;
  for (int i = 0; i < n; ++i) all.push_back(code_of_stuck(20ms));
  auto r = co_await hel::when_all(std::move(all));
  co_return static_cast<int>(std::count(r.begin(), r.end(), timed_out));
}
hel::task<int> in_time() {
  auto a = co_await hel::as_expected(hel::host(registered::triple{}, 2u).within(10h));
  int b = co_await hel::host(square, 3).within(10h);
  auto c = co_await hel::as_expected(hel::host(fails_with, 8).within(10h));
  co_return static_cast<int>(*a) + b + c.error().code;
}
// Of any types: what the function refers to is the call's own.
hel::task<std::string> stuck_lambda(std::string s) {
  auto r = co_await hel::as_expected(hel::host(
                                         [](std::string t) {
                                           registered::stuck{}(0);
                                           return t + "!";
                                         },
                                         std::move(s))
                                         .within(20ms));
  co_return r ? *r : hel::to_string(r.error());
}

hel::task<int> stuck_for_ever() { co_return co_await hel::host(registered::stuck{}, 1); }
hel::task<int> cancel_stuck() {
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), stuck_for_ever);
  auto timed = hel::spawn(source.token(), call_stuck, 10h);
  while (registered::inside < 2) co_await hel::yield();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  auto s = co_await hel::as_expected(timed);
  co_return r || s ? 0 : r.error().code + s.error().code;
}

// Lets whoever is stuck go, and waits until they have gone.
void let_go() {
  while (registered::left < registered::inside) {
    registered::gate.release();
    std::this_thread::sleep_for(1ms);
  }
  while (registered::gate.try_acquire()) {
  }
  registered::inside = registered::left = 0;
}

}  // namespace

TEST_CASE("registered host functions: arguments and results by value, up to 64 KiB") {
  on_all_executors([](std::uint64_t r) { CHECK(r == 21); }, call_triple, std::uint64_t{7});
  on_all_executors([](double r) { CHECK(r == 'a' + 3.5); }, call_mixed);
  on_all_executors([](int r) { CHECK(r == 20); }, call_inverts, 20);  // more than there are slots of that size
  on_all_executors([](int r) { CHECK(r == 5); }, call_note);
}

TEST_CASE("registered host functions: errors") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    CHECK(rt.launch(call_fails, 9).get() == 9);
    CHECK(rt.launch(call_fails, 0).get() == static_cast<int>(hel::errc::host_exception));
    CHECK(rt.launch(fails_in_turn, 9).get_expected().error().code == 9);
  }
}

TEST_CASE("registered host functions: two of one name are reported when a runtime starts") {
  hel::detail::host_function_registrar<registered::triple> again("registered::fails", "elsewhere.cpp", 12);
  CHECK_THROWS_WITH_AS(hel::runtime{}, doctest::Contains("registered::fails (elsewhere.cpp:12)"), std::logic_error);
  hel::detail::first_host_function = again.entry.next;
  hel::runtime rt;
  // And one that is not there, or not the same on both sides.
  hel::exec::host_calls calls;
  struct request : hel::exec::host_request {
    request() : host_request(nullptr) {}
    std::uint64_t id = 0;
    std::uint32_t bytes = 8;
  } r;
  r.payload_bytes = 8;
  r.fill = [](hel::exec::host_request* q, hel::core::rpc_header& h, void*) noexcept {
    h.function = static_cast<request*>(q)->id;
    h.argument_bytes = h.result_bytes = static_cast<request*>(q)->bytes;
  };
  const auto run = [&](std::uint64_t id, std::uint32_t bytes) {
    r.id = id;
    r.bytes = bytes;
    CHECK(calls.submit(r));
    const std::uint32_t slot = calls.server().next();
    const int error = calls.run(slot);
    calls.server().answer(slot, error);
    CHECK(calls.next_answer() == &r);
    CHECK(!calls.release(slot));
    return error;
  };
  CHECK(run(hel::detail::host_function_id("registered::triple"), 8) == 0);
  CHECK(run(hel::detail::host_function_id("registered::triple"), 4) == static_cast<int>(hel::errc::no_host_function));
  CHECK(run(hel::detail::host_function_id("unknown"), 8) == static_cast<int>(hel::errc::no_host_function));
}

TEST_CASE("no call is lost or doubled") {
  const char* wanted = std::getenv("HEL_TEST_CALLS");  // up to 10^6
  const std::uint32_t n = wanted ? static_cast<std::uint32_t>(std::atoi(wanted)) / 64 * 64 : 99968;
  for (unsigned host_threads : {1u, 3u}) {
    for (auto& s : registered::served) s = 0;
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .host_threads = host_threads});
    CHECK(rt.launch(serve_all, n).get());
    std::uint32_t wrong = 0;
    for (std::uint32_t i = 0; i < n; ++i) wrong += registered::served[i] != 1;
    CHECK(wrong == 0);
  }
}

TEST_CASE("a host call with a time-out") {
  on_all_executors([](int r) { CHECK(r == 23); }, in_time);
  for (unsigned host_threads : {1u, 3u}) {
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .host_threads = host_threads});
    CHECK(rt.launch(code_of_stuck, 5ms).get() == timed_out);
    CHECK(rt.launch(stuck_lambda, "later").get() == "timed out");
    // More than there are slots, while every host thread is stuck.
    CHECK(rt.launch(many_stuck, 2000).get() == 2000);
    let_go();
    CHECK(rt.launch(call_triple, 5).get() == 15);
    CHECK(rt.launch(serve_all, 64 * 64).get());  // all slots are there again
  }
}

TEST_CASE("a function that never returns keeps neither its task nor its runtime") {
  {
    hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads, .host_threads = 2});
    CHECK(rt.launch(code_of_stuck, 5ms).get() == timed_out);
    CHECK(rt.launch(stuck_lambda, "never").get() == "timed out");
    CHECK(rt.launch(stuck_lambda, "not even begun").get() == "timed out");
    CHECK(registered::inside == 2);
  }
  CHECK(registered::left == 0);
  let_go();  // what they were left with is still there
}

TEST_CASE("cancelling abandons calls of registered functions") {
  {
    hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads, .host_threads = 2});
    CHECK(rt.launch(cancel_stuck).get() == 2 * static_cast<int>(hel::errc::cancelled));
  }
  let_go();
}

TEST_CASE("a host call returns the function's result") {
  on_all_executors([](int r) { CHECK(r == 10); }, calls);
  on_all_executors([](int r) { CHECK(r == 2); }, by_reference);
  on_all_executors([](const std::string& r) { CHECK(r == "moved"); }, moved_arguments);
}

TEST_CASE("with threads, the function runs on no worker") {
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  CHECK(rt.launch(elsewhere).get());
}

TEST_CASE("an exception on the host fails the calling task") {
  for (const hel::cpu& settings : all_executors()) {
    log_type log;
    hel::runtime rt(settings);
    CHECK(rt.launch(expects, log).get() == static_cast<int>(hel::errc::host_exception));
    CHECK(log == log_type{"caller"});
    CHECK(rt.launch(expects_directly, 17).get() == 42);
  }
}

TEST_CASE("more calls than the mailbox holds") {
  on_all_executors([](long r) { CHECK(r == 100L * 328350); }, flood, 10000);
}

TEST_CASE("calls wait side by side, and the worker goes on meanwhile") {
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads, .host_threads = 4});
  const auto start = std::chrono::steady_clock::now();
  CHECK(rt.launch(slow_calls).get() == 10);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(20));
  std::atomic<bool> flag = false;
  auto spinning = rt.launch(spin_until, flag);
  auto calling = rt.launch(call_and_set, flag);
  CHECK(calling.get() == 1);
  CHECK(spinning.get() > 0);
}

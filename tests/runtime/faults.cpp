// What goes wrong, all of it in one program, again and again: nothing is left behind, and nothing hangs.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

struct slow {
  int n;
};
struct full_mailbox {
  hel::task<int> handle(slow s) {
    co_await hel::yield();
    if (s.n == 3) co_await hel::fail(33);
    if (s.n == 4) throw std::runtime_error("in a handler");
    co_return s.n;
  }
};
int late(int n) {
  std::this_thread::sleep_for(std::chrono::milliseconds(n));
  if (n == 1) throw std::runtime_error("on the host");
  return n;
}

hel::task<int> throws(int n) {
  co_await hel::yield();
  if (n % 2 == 0) throw std::runtime_error("in a task");
  co_return n;
}
hel::task<int> fails(int n) {
  co_await hel::yield();
  if (n % 2 == 1) co_await hel::fail(7);
  co_return n;
}
hel::task<int> asks(hel::service<full_mailbox> s, int n) { co_return co_await s.call(slow{n}); }
hel::task<int> waits(hel::channel<int>& c) {
  auto v = co_await c.receive();
  co_return v.value_or(-1);
}
hel::task<int> host_calls(int ms) { co_return co_await hel::host(late, ms).within(1ms); }

hel::task<int> everything(hel::service<full_mailbox> s) {
  int wrong = 0;
  hel::channel<int> never(1);
  hel::cancel_source source;
  auto waiting = hel::spawn(source.token(), waits, never);
  for (int i = 0; i < 6; ++i) {
    auto a = hel::spawn(fails, i);
    hel::spawn(throws, i).detach();
    hel::spawn(fails, i).detach();
    auto b = hel::spawn(asks, s, i);
    auto ra = co_await hel::as_expected(a);
    wrong += ra.has_value() == (i % 2 == 1);
    if (i == 4) {
      bool caught = false;
      try {
        (void)co_await b;
      } catch (const std::runtime_error&) {
        caught = true;
      }
      wrong += !caught;
    } else {
      auto rb = co_await hel::as_expected(b);
      wrong += rb.has_value() == (i == 3);
    }
    (void)s.try_post(slow{i});
  }
  auto thrown = co_await hel::as_expected(hel::host(late, 1));
  wrong += thrown.has_value();
  auto given_up = co_await hel::as_expected(host_calls(3));
  wrong += given_up.has_value() && *given_up != 3;  // deterministic: never late
  source.cancel();
  auto r = co_await hel::as_expected(waiting);
  wrong += r.has_value();
  co_return wrong;
}

std::size_t threads_of_this_process() {
  std::size_t n = 0;
  for ([[maybe_unused]] const auto& t : std::filesystem::directory_iterator("/proc/self/task")) ++n;
  return n;
}

}  // namespace

// Under AddressSanitizer whatever a cycle leaks is reported when the program ends.
TEST_CASE("starting, failing and stopping leaves nothing behind") {
  const char* wanted = std::getenv("HEL_TEST_CYCLES");
  const int cycles = wanted ? std::atoi(wanted) : 100;
  { hel::runtime warm_up; }
  const std::size_t threads = threads_of_this_process();
  for (int i = 0; i < cycles; ++i) {
    const hel::cpu& settings = all_executors()[static_cast<std::size_t>(i) % all_executors().size()];
    hel::runtime rt(settings);
    auto s = rt.start_service<full_mailbox>({.capacity = 1});
    REQUIRE(rt.launch(everything, s).get() == 0);
    if (i % 3 == 0) auto dropped = rt.launch(everything, s);
  }
  CHECK(threads_of_this_process() == threads);
}

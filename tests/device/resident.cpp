// The resident runtime: `resident WHAT` runs one of the things below and prints what has come of it.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "hel/hel.hpp"

using namespace std::chrono_literals;

namespace {

struct twice {
  int operator()(int n) const { return 2 * n; }
};
struct slowly {
  int operator()(int n) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(n));
    return n;
  }
};
struct never_answers {
  int operator()(int) const {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
};
struct fails {
  void operator()(int code) const { throw hel::failure(hel::error(code)); }
};
struct block {
  long words[100];
};
struct sum_of {
  block operator()(block b) const {
    for (long& w : b.words) w += 1;
    return b;
  }
};
struct owner {  // not trivially copyable
  HEL_HD owner() {}
  HEL_HD owner(const owner&) {}
};

}  // namespace
HEL_HOST_FUNCTION(::twice);
HEL_HOST_FUNCTION(::slowly);
HEL_HOST_FUNCTION(::never_answers);
HEL_HOST_FUNCTION(::fails);
HEL_HOST_FUNCTION(::sum_of);

HEL_TASK hel::task<int> square(int n) { co_return n* n; }
HEL_TASK hel::task<void> nothing() { co_return; }
HEL_TASK hel::task<int> failing(int code) {
  co_await hel::fail(code);
  co_return 0;
}
HEL_TASK hel::task<int> above(int code) { co_return co_await failing(code) + 1; }
HEL_TASK hel::task<int> catching(int code) {
  auto r = co_await hel::as_expected(above(code));
  co_return r ? 0 : r.error().code + 1000;
}
HEL_TASK hel::task<int> by_reference(int& n) { co_return n; }
HEL_TASK hel::task<int> of_owner(owner) { co_return 1; }
HEL_TASK hel::task<owner> to_owner() { co_return owner(); }
HEL_HOST_TASK hel::task<int> on_host(int n) { co_return n; }

HEL_TASK hel::task<long> tree(int depth) {
  if (depth == 0) co_return 1;
  auto left = hel::spawn(tree, depth - 1);
  auto right = hel::spawn(tree, depth - 1);
  long l = co_await left;
  long r = co_await right;
  co_return l + r;
}
// Leaves its children behind.
HEL_TASK hel::task<void> count_down(long* counter, int depth) {
  if (depth > 0) {
    hel::spawn(count_down, counter, depth - 1).detach();
    hel::spawn(count_down, counter, depth - 1).detach();
  }
  for (int i = 0; i < 3; ++i) co_await hel::yield();
  if (depth == 0) co_await hel::host(twice{}, 1);
}
HEL_TASK hel::task<int> ask(int n) { co_return co_await hel::host(twice{}, n); }
HEL_TASK hel::task<long> ask_many(int n) {
  if (n == 1) co_return co_await hel::host(twice{}, 1);
  auto [a, b] = co_await hel::when_all(ask_many(n / 2), ask_many(n - n / 2));
  co_return a + b;
}
HEL_TASK hel::task<long> ask_blocks(int n) {
  if (n == 1) {
    block b = co_await hel::host(sum_of{}, block{});
    long sum = 0;
    for (long w : b.words) sum += w;
    co_return sum;
  }
  auto [a, b] = co_await hel::when_all(ask_blocks(n / 2), ask_blocks(n - n / 2));
  co_return a + b;
}
HEL_TASK hel::task<void> ask_failing(int code) { co_await hel::host(fails{}, code); }
HEL_TASK hel::task<int> unregistered() {
  auto r = co_await hel::as_expected(hel::host([](int n) { return n; }, 1));
  co_return r ? 0 : r.error().code;
}
HEL_TASK hel::task<int> patient(int ms) { co_return co_await hel::host(slowly{}, ms); }
HEL_TASK hel::task<int> asks_in_vain() { co_return co_await hel::host(never_answers{}, 1); }
HEL_TASK hel::task<void> for_ever(const volatile int* flag) {
  while (*flag == 0) {
  }
  co_return;
}
HEL_TASK hel::task<int> waits(int n) {
  hel::channel<int> c(1);
  auto got = co_await c.receive();  // nobody sends
  co_return got ? *got : n;
}

namespace {

hel::cuda small() { return {.threads_per_block = 64, .frame_memory = 4u << 20, .watchdog = 10000ms}; }

template <class F>
void expect_error(F f) {
  try {
    f();
    std::printf("no error\n");
  } catch (const hel::failure& e) {
    std::printf("failure %d: %s\n", static_cast<int>(e.error().code), e.what());
  } catch (const std::logic_error& e) {
    std::printf("%s\n", e.what());
  }
}

void results(hel::runtime& rt) {
  auto a = rt.launch(square, 7);
  auto b = rt.launch(nothing);
  std::printf("%d", a.get());
  b.get();
  std::printf(" %d", rt.launch(catching, 5).get());
  std::printf(" %d", static_cast<int>(rt.launch(above, 6).get_expected().error().code));
  std::printf(" %ld\n", rt.launch(tree, 8).get());
  expect_error([&] { rt.launch(failing, 8).get(); });
}

void refusals(hel::runtime& rt) {
  int n = 1;
  expect_error([&] { rt.launch(by_reference, n).get(); });
  expect_error([&] { rt.launch(of_owner, owner()).get(); });
  expect_error([&] { rt.launch(to_owner).get(); });
  expect_error([&] { rt.launch(on_host, 1).get(); });
  expect_error([&] { rt.launch([n](int m) { return square(n + m); }, 1).get(); });
  expect_error([&] { rt.launch(hel::cancellable, square, 1).get(); });
  expect_error([&] { rt.make_buffer<int>(4); });
  std::printf("%d\n", rt.launch(square, 3).get());  // it goes on
}

// More than there are slots, from two threads.
void many_launches(hel::runtime& rt) {
  long sums[2] = {};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&rt, &sums, t] {
      std::vector<hel::application<int>> all;
      for (int i = 0; i < 1000; ++i) all.push_back(rt.launch(square, i % 10));
      for (auto& a : all) sums[t] += a.get();
    });
  for (auto& t : threads) t.join();
  std::printf("%ld %ld\n", sums[0], sums[1]);
}

void host_calls(hel::runtime& rt) {
  std::printf("%d ", rt.launch(ask, 21).get());
  std::printf("%ld ", rt.launch(ask_many, 1500).get());  // more than there are slots
  std::printf("%ld ", rt.launch(ask_blocks, 100).get());
  std::printf("%d ", static_cast<int>(rt.launch(ask_failing, 77).get_expected().error().code));
  std::printf("%d\n", rt.launch(unregistered).get());
}

void drains(hel::runtime& rt) {
  rt.launch(count_down, static_cast<long*>(nullptr), 7).get();
  rt.drain();
  const hel::statistics s = rt.stats();
  std::printf("%d\n", s.started == s.over && s.over >= 255 ? 1 : 0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto with = [](const hel::cuda& settings, auto run) {
    hel::runtime rt{settings};
    run(rt);
  };
  if (what == "results") {
    with(small(), results);
    with(small(), results);  // one after the other
  } else if (what == "refusals") {
    with(small(), refusals);
  } else if (what == "launches") {
    with(small(), many_launches);
  } else if (what == "calls") {
    with(small(), host_calls);
  } else if (what == "count") {  // of 32767 tasks
    with(small(), [](hel::runtime& rt) { std::printf("%ld\n", rt.launch(tree, 14).get()); });
  } else if (what == "drain") {
    with(small(), drains);
  } else if (what == "start") {
    expect_error([&] { with(small(), [](hel::runtime& rt) { std::printf("%d\n", rt.launch(square, 5).get()); }); });
  } else if (what == "settings") {
    for (hel::cuda s : {hel::cuda{.threads_per_block = 100}, hel::cuda{.blocks = 1000}, hel::cuda{.frame_memory = 5},
                        hel::cuda{.host_threads = 0}, hel::cuda{.device = 3}})
      expect_error([&] { hel::runtime rt{s}; });
    hel::runtime rt{small()};
    expect_error([&] { hel::runtime second{small()}; });
    std::printf("%d\n", rt.launch(square, 4).get());
  } else if (what == "patient") {  // a host function may take its time
    hel::cuda s = small();
    s.watchdog = 1500ms;
    with(s, [](hel::runtime& rt) { std::printf("%d\n", rt.launch(patient, 3000).get()); });
  } else if (what == "stuck") {
    hel::cuda s = small();
    s.watchdog = 900ms;
    expect_error([&] { with(s, [](hel::runtime& rt) { rt.launch(waits, 1).get(); }); });
  } else if (what == "full") {  // launches that are never over have all slots
    hel::cuda s = small();
    s.watchdog = 900ms;
    s.frame_memory = 32u << 20;
    expect_error([&] {
      with(s, [](hel::runtime& rt) {
        std::vector<hel::application<int>> all;
        for (int i = 0; i < 1000000; ++i) all.push_back(rt.launch(waits, 1));
      });
    });
  } else if (what == "silent") {
    hel::cuda s = small();
    s.host_watchdog = 900ms;
    expect_error([&] { with(s, [](hel::runtime& rt) { rt.launch(asks_in_vain).get(); }); });
    with(small(), [](hel::runtime& rt) { std::printf("%d\n", rt.launch(square, 5).get()); });  // the next one is well
  } else if (what == "for_ever") {
    static int flag = 0;
    hel::cuda s = small();
    s.watchdog = 900ms;
    expect_error([&] { with(s, [](hel::runtime& rt) { rt.launch(for_ever, &flag).get(); }); });
    std::fflush(stdout);
    std::_Exit(0);  // the kernel still runs
  } else {
    return 2;
  }
}

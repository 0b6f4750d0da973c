// Starting, waiting, ending; several runtimes; settings.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "support.hpp"

namespace {

hel::task<int> identity(int n) { co_return n; }
hel::task<int> patient(int n, int yields) {
  for (int i = 0; i < yields; ++i) co_await hel::yield();
  co_return n;
}
hel::task<> count(std::atomic<int>& n) {
  co_await hel::yield();
  ++n;
}
hel::task<> spawn_chain(std::atomic<int>& n, int left) {
  ++n;
  if (left > 0) hel::spawn(spawn_chain, n, left - 1).detach();
  co_return;
}
hel::task<> ping(hel::channel<int>& in, hel::channel<int>& out, int n) {
  for (int i = 0; i < n; ++i) {
    co_await out.send(i);
    co_await in.receive();
  }
}
hel::task<> pong(hel::channel<int>& in, hel::channel<int>& out, int n) {
  for (int i = 0; i < n; ++i) {
    auto v = co_await in.receive();
    co_await out.send(*v);
  }
}

// Sets an environment variable for one scope.
class environment {
 public:
  environment(const char* name, const char* value) : name_(name) {
    const char* old = std::getenv(name);
    had_ = old != nullptr;
    if (old) old_ = old;
    setenv(name, value, 1);
  }
  ~environment() {
    if (had_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char* name_;
  std::string old_;
  bool had_;
};

}  // namespace

TEST_CASE("applications are waited for in any order, or dropped") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      auto a = rt.launch(patient, 1, 50);
      auto b = rt.launch(identity, 2);
      { auto dropped = rt.launch(count, n); }
      CHECK(b.get() == 2);
      a.wait();
      a.wait();
      CHECK(a.done());
      CHECK(a.get() == 1);
      CHECK(!a.valid());
      auto moved = rt.launch(patient, 3, 10);
      auto to = std::move(moved);
      CHECK(to.get() == 3);
    }
    CHECK(n == 1);
  }
}

TEST_CASE("the destructor lets everything finish, also what is spawned meanwhile") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      for (int i = 0; i < 20; ++i) auto dropped = rt.launch(spawn_chain, n, 49);
    }
    CHECK(n == 1000);
  }
}

TEST_CASE("runtimes start and stop often") {
  for (int i = 0; i < 100; ++i) {
    for (const hel::cpu& settings : all_executors()) {
      hel::runtime rt(settings);
      if (i % 3 == 0) continue;
      auto app = rt.launch(identity, i);
      if (i % 3 == 1) CHECK(app.get() == i);
    }
  }
}

TEST_CASE("two runtimes in one process") {
  for (const hel::cpu& first : all_executors()) {
    for (const hel::cpu& second : all_executors()) {
      hel::runtime a(first);
      hel::runtime b(second);
      auto x = a.launch(patient, 1, 20);
      auto y = b.launch(patient, 2, 20);
      CHECK(y.get() == 2);
      CHECK(x.get() == 1);
    }
  }
}

TEST_CASE("many threads launch and wait") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    std::atomic<long> sum = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&rt, &sum] {
        for (int i = 0; i < 100; ++i) sum += rt.launch(patient, i, i % 4).get();
      });
    }
    for (auto& t : threads) t.join();
    CHECK(sum == 4 * 4950);
  }
}

TEST_CASE("no wake-up is lost when workers keep falling asleep") {
  // Both ends run dry again and again, so every message may have to wake somebody.
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  hel::channel<int> there(0), back(0);
  auto a = rt.launch(ping, back, there, 2000);
  auto b = rt.launch(pong, there, back, 2000);
  a.get();
  b.get();
  for (int i = 0; i < 200; ++i) {
    if (i % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(rt.launch(identity, i).get() == i);
  }
}

TEST_CASE("an idle runtime uses no processor time") {
  hel::runtime rt(hel::cpu{.threads = 4, .executor = hel::executor::threads});
  CHECK(rt.launch(identity, 1).get() == 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  CHECK(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < 0.03);
}

TEST_CASE("settings come from the environment unless given") {
  {
    environment executor("HEL_EXECUTOR", "deterministic");
    CHECK(hel::runtime().executor() == hel::executor::deterministic);
    CHECK(hel::runtime(hel::cpu{.executor = hel::executor::threads}).executor() == hel::executor::threads);
  }
  {
    environment executor("HEL_EXECUTOR", "threads");
    environment threads("HEL_THREADS", "3");
    CHECK(hel::runtime().executor() == hel::executor::threads);
    CHECK(hel::runtime().threads() == 3);
    CHECK(hel::runtime(hel::cpu{.threads = 2}).threads() == 2);
  }
}

TEST_CASE("settings that make no sense are refused") {
  for (const char* bad : {"0", "-1", "many", "3x", "99999999"}) {
    environment executor("HEL_EXECUTOR", "threads");
    environment threads("HEL_THREADS", bad);
    CHECK_THROWS_AS(hel::runtime(), std::invalid_argument);
  }
  {
    environment executor("HEL_EXECUTOR", "quick");
    CHECK_THROWS_WITH_AS(hel::runtime(), "HEL_EXECUTOR=quick: expected threads, deterministic or cuda",
                         std::invalid_argument);
  }
  CHECK_THROWS_AS(hel::runtime(hel::cpu{.host_threads = 0}), std::invalid_argument);
}

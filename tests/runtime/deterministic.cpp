// The deterministic executor: its order, its seeds, deadlocks, what an observer sees.
#include <set>
#include <thread>

#include "hel/cpu/task_table.hpp"
#include "hel/deadlock.hpp"
#include "support.hpp"

namespace {

hel::task<> letter(std::string& out, char c, int times) {
  for (int i = 0; i < times; ++i) {
    out += c;
    co_await hel::yield();
  }
}
hel::task<std::string> interleave() {
  std::string out;
  auto a = hel::spawn(letter, out, 'a', 3);
  auto b = hel::spawn(letter, out, 'b', 3);
  auto c = hel::spawn(letter, out, 'c', 3);
  co_await a;
  co_await b;
  co_await c;
  co_return out;
}
std::string run(std::uint64_t seed) {
  hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic, .seed = seed});
  return rt.launch(interleave).get();
}

hel::task<int> host_thread() {
  std::thread::id here = std::this_thread::get_id();
  bool same = co_await hel::host([here] { return std::this_thread::get_id() == here; });
  co_return same;
}

hel::task<int> waits_for_ever(hel::channel<int>& ch) {
  auto v = co_await ch.receive();
  co_return v ? *v : -1;
}
hel::task<> sends(hel::channel<int>& ch) { co_await ch.send(3); }

hel::task<int> leaf(int n) { co_return n; }
hel::task<int> caller() {
  int a = co_await leaf(1);
  auto h = hel::spawn(leaf, 2);
  int b = co_await h;
  co_return a + b;
}

// Counts what it is told.
class recorder : public hel::cpu::step_observer {
 public:
  void task_created(const hel::task_record& r) override {
    ids.insert(r.id);
    if (r.parent != 0) ++children;
  }
  void before_resume(std::coroutine_handle<>) override { ++resumes; }
  void after_resume(std::coroutine_handle<>) override { ++ended; }
  void task_waits(const hel::task_record& r) override { waits.insert(r.waits); }
  void task_done(const hel::task_record&) override { ++done; }
  void idle() override { ++idles; }

  std::set<std::uint64_t> ids;
  std::set<hel::wait_kind> waits;
  int children = 0, resumes = 0, ended = 0, done = 0, idles = 0;
};

// Single-step mode for one scope.
class stepping {
 public:
  explicit stepping(recorder& r) {
    hel::exec::installed_observer = &r;
    hel::detail::tasks_recorded = hel::detail::single_step = true;
  }
  ~stepping() {
    hel::exec::installed_observer = nullptr;
    hel::detail::tasks_recorded = hel::detail::single_step = false;
  }
};

}  // namespace

TEST_CASE("ready tasks run first in, first out") {
  for (int i = 0; i < 3; ++i) CHECK(run(0) == "abcabcabc");
}

TEST_CASE("a seed gives another order, the same one every time") {
  std::set<std::string> orders;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::string order = run(seed);
    CHECK(run(seed) == order);
    CHECK(order.size() == 9);
    orders.insert(order);
  }
  CHECK(orders.size() > 10);
}

TEST_CASE("host calls run in turn on the thread that waits") {
  hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
  CHECK(rt.launch(host_thread).get() == 1);
}

TEST_CASE("a deadlock is reported, and may be resolved") {
  hel::channel<int> ch(1);
  hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
  auto stuck = rt.launch(waits_for_ever, ch);
  CHECK_THROWS_WITH_AS(stuck.get(), "deadlock: no task is ready, and 1 spawned or launched tasks are not over",
                       hel::deadlock);
  CHECK_THROWS_AS(stuck.wait(), hel::deadlock);
  rt.launch(sends, ch).get();
  CHECK(stuck.get() == 3);
}

TEST_CASE("an observer sees every resumption, and who waits for whom") {
  recorder seen;
  {
    const stepping on(seen);
    hel::runtime rt(hel::cpu{.threads = 4, .executor = hel::executor::threads});
    CHECK(rt.executor() == hel::executor::deterministic);
    auto app = rt.launch(caller);
    const auto before = hel::tasks();
    REQUIRE(before.size() == 1);
    CHECK(before[0].parent == 0);
    CHECK(app.get() == 3);
  }
  CHECK(hel::tasks().empty());
  CHECK(seen.ids.size() == 3);
  CHECK(seen.children == 2);
  CHECK(seen.done == 3);
  CHECK(seen.resumes == seen.ended);
  CHECK(seen.resumes >= 5);  // caller, leaf, caller, leaf, caller
  CHECK(seen.waits.count(hel::wait_kind::call) == 1);
  CHECK(seen.waits.count(hel::wait_kind::join) == 1);
  CHECK(seen.idles == 0);
}

TEST_CASE("single steps do not change the order") {
  const std::string plain = run(0);
  recorder seen;
  const stepping on(seen);
  CHECK(run(0) == plain);
}

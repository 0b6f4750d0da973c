// case:   a shared task awaited by several coroutines, and when_all over them
// expect: +2 +1 work +3 +4 gate -1 v42 -2 v43 -3 v44 -4 all40 done1 alive0
#include "case.hpp"
#include <vector>
struct Shared;
struct SharedPromise {
  int value = 0, users = 1;
  bool started = false;
  std::vector<std::coroutine_handle<>> waiting;
  struct Final {
    bool await_ready() noexcept { return false; }
    void await_suspend(std::coroutine_handle<SharedPromise> h) noexcept {
      auto list = std::move(h.promise().waiting);
      for (auto w : list) w.resume();
    }
    void await_resume() noexcept {}
  };
  Shared get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() {}
};
struct Shared {
  using promise_type = SharedPromise;
  std::coroutine_handle<SharedPromise> h;
  explicit Shared(std::coroutine_handle<SharedPromise> c) : h(c) {}
  Shared(const Shared& o) : h(o.h) { ++h.promise().users; }
  ~Shared() { if (--h.promise().users == 0) h.destroy(); }
  bool await_ready() const { return h.done(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) const {
    h.promise().waiting.push_back(c);
    if (std::exchange(h.promise().started, true)) return std::noop_coroutine();
    return h;
  }
  int& await_resume() const { return h.promise().value; }
};
Shared SharedPromise::get_return_object() { return Shared{std::coroutine_handle<SharedPromise>::from_promise(*this)}; }
struct WhenAll {
  std::vector<VoidJob>& jobs;
  int* left;
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> c);
  void await_resume() {}
};
static std::coroutine_handle<> gate, joined;
static int remaining;
struct Gate {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { gate = h; }
  void await_resume() {}
};
bool WhenAll::await_suspend(std::coroutine_handle<> c) {
  joined = c;
  for (VoidJob& j : jobs) j.h.resume();
  return *left > 0;
}
Shared work() { Trace t(1); say("work"); co_await Gate{}; co_return 40; }
VoidJob user(Shared s, int n) {
  Trace t(n);
  int v = co_await s + n;
  say("v", v);
  --remaining;
}
VoidJob body() {
  Shared s = work();
  std::vector<VoidJob> jobs;
  for (int i = 2; i < 5; ++i) jobs.push_back(user(s, i));
  remaining = 3;
  co_await WhenAll{jobs, &remaining};
  say("all", co_await s);
}
int main() { { VoidJob j = body(); j.h.resume(); say("gate"); gate.resume(); if (remaining == 0) joined.resume(); say("done", j.h.done()); } say("alive", Trace::alive); }

// case:   unhandled_exception rethrows: the coroutine is at its final suspension, the final awaiter is not built
// expect: +1 m1 +9 -1 +2 | -2 rethrow caught5 done1 -9 -1 alive0
#include "case.hpp"
struct Loud;
struct LoudPromise {
  Trace own{9};
  LoudPromise() {}
  Loud get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  auto final_suspend() noexcept { say("final"); return std::suspend_always{}; }
  void return_void() {}
  void unhandled_exception() { say("rethrow"); throw; }
};
struct Loud : Stepped<LoudPromise> {
  using promise_type = LoudPromise;
  using Stepped::Stepped;
};
Loud LoudPromise::get_return_object() { return Loud{std::coroutine_handle<LoudPromise>::from_promise(*this)}; }
Loud body(Trace) {
  Trace t(2);
  co_await Pause{0};
  throw 5;
}
int main() {
  {
    Loud j = body(Trace(1));
    j.step();
    try { j.step(); } catch (int e) { say("caught", e); }
    say("done", j.h.done());
  }
  say("alive", Trace::alive);
}

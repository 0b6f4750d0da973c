// case:   a promise type with neither return_void nor return_value; bodies that end, and that never do
// expect: +1 | n10 | n11 | | unhandled final -1
#include "case.hpp"
struct Loop : Stepped<struct LoopPromise> {
  using promise_type = LoopPromise;
  using Stepped::Stepped;
};
struct LoopPromise {
  Loop get_return_object() { return Loop{std::coroutine_handle<LoopPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { say("final"); return {}; }
  void unhandled_exception() { say("unhandled"); }
};
Loop forever() {
  Trace t(1);
  for (int n = 0;; ++n) say("n", n + co_await Pause{10});
}
Loop throws() {
  co_await Pause{0};
  throw 1;
}
int main() {
  Loop f = forever();
  for (int i = 0; i < 3; ++i) f.step();
  throws().run();
}

// case:   an exception of return_value is caught by the handler around the co_return
// expect: +1 +2 return1 -2 caught | return2 -1
#include "case.hpp"
struct Picky;
struct PickyPromise {
  Picky get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(int v) { say("return", v); if (v == 1) throw v; }
  void unhandled_exception() { say("unhandled"); }
};
struct Picky : Stepped<PickyPromise> {
  using promise_type = PickyPromise;
  using Stepped::Stepped;
};
Picky PickyPromise::get_return_object() { return Picky{std::coroutine_handle<PickyPromise>::from_promise(*this)}; }
Picky body() {
  Trace t(1);
  try {
    Trace u(2);
    co_return 1;
  } catch (int) {
    say("caught");
  }
  co_await Pause{0};
  co_return 2;
}
int main() { Picky j = body(); j.run(); }

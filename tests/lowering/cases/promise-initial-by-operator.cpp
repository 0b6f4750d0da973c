// case:   initial_suspend and final_suspend whose results need operator co_await
// expect: op ~ # op body op ~ # alive0
#include "case.hpp"
struct Go {
  auto operator co_await() const noexcept { say("op"); return std::suspend_always{}; }
};
struct Odd;
struct OddPromise {
  Odd get_return_object();
  Go initial_suspend() noexcept { return {}; }
  Go final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Odd : Stepped<OddPromise> {
  using promise_type = OddPromise;
  using Stepped::Stepped;
};
Odd OddPromise::get_return_object() { return Odd{std::coroutine_handle<OddPromise>::from_promise(*this)}; }
Odd body() { say("body"); co_return; }
int main() { at_each_suspension(body); }

// case:   what the language calls is a static member function, or a data member that can be called; so is the awaiter's part
// expect: | yield8 transform | await3 transform static await6 returned1 initial | yield104 static await6 returned2 final initial | yield104 static await6 unhandled final
#include "case.hpp"
struct Static {
  static bool await_ready() { return false; }
  static bool await_suspend(std::coroutine_handle<>) { say("static"); return false; }
  static int await_resume() { return 6; }
};
struct Final {
  auto operator()() const noexcept { say("final"); return std::suspend_always{}; }
};
struct Yield {
  int last = 0;
  Pause operator()(int n, int more = 100) { last = n; return {n + more}; }
};
struct Statics : Stepped<struct StaticsPromise> {
  using promise_type = StaticsPromise;
  using Stepped::Stepped;
};
struct StaticsPromise {
  Statics get_return_object() { return Statics{std::coroutine_handle<StaticsPromise>::from_promise(*this)}; }
  static std::suspend_always initial_suspend() { return {}; }
  static std::suspend_always final_suspend() noexcept { return {}; }
  static void return_value(int n) { say("returned", n); }
  static Pause yield_value(int n) { return {n * 2}; }
  template <class A>
  static A await_transform(A a) { say("transform"); return a; }
  static void unhandled_exception() {}
};
struct Members : Stepped<struct MembersPromise> {
  using promise_type = MembersPromise;
  using Stepped::Stepped;
};
struct MembersPromise {
  Members get_return_object() { return Members{std::coroutine_handle<MembersPromise>::from_promise(*this)}; }
  static constexpr auto initial_suspend = []() noexcept { say("initial"); return std::suspend_always{}; };
  Final final_suspend;
  Yield yield_value;
  void (*return_value)(int) = [](int n) { say("returned", n); };
  static constexpr auto unhandled_exception = [] { say("unhandled"); };
};
Statics statics() {
  say("yield", co_yield 4);
  say("await", co_await Pause{3});
  say("await", co_await Static{});
  co_return 1;
}
Members members(bool fail) {
  say("yield", co_yield 4);
  say("await", co_await Static{});
  if (fail) throw 1;
  co_return 2;
}
int main() {
  statics().run();
  members(false).run();
  members(true).run();
}

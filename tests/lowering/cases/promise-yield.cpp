// case:   yield_value of values, references and braced lists; the result of co_yield
// expect: ~ # y1 | ~ # y1 | r2 +2 t2 | ~ -2 # y1 | r2 +2 t2 | r4 -2 p7 | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 | ~
// expect: # y1 | r2 +2 t2 | r4 -2 p7 | y5 | y6 | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 | y6 | a22 y1 | ~ # y1 | r2
// expect: +2 t2 | r4 -2 p7 | y5 | y6 | a22 y1 | y1 | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 | y6 | a22 y1 | y1 | y1
// expect: | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 | y6 | a22 y1 | y1 | y1 | | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 |
// expect: y6 | a22 y1 | y1 | y1 | | y7 | ~ # y1 | r2 +2 t2 | r4 -2 p7 | y5 | y6 | a22 y1 | y1 | y1 | | y7 | ~
// expect: # alive0
#include "case.hpp"
struct Gen;
struct GenPromise {
  struct Pair { int a, b; };
  struct Result {
    int v;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { say("|"); }
    int await_resume() { return v * 2; }
  };
  Gen get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  Result yield_value(int v) { say("y", v); return {v}; }
  Result yield_value(const Trace& t) { say("t", t.id); return {t.id}; }
  Result yield_value(Pair p) { say("p", p.a + p.b); return {p.a}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Gen : Stepped<GenPromise> {
  using promise_type = GenPromise;
  using Stepped::Stepped;
};
Gen GenPromise::get_return_object() { return Gen{std::coroutine_handle<GenPromise>::from_promise(*this)}; }
Gen body() {
  say("r", co_yield 1);
  say("r", co_yield Trace(2));
  co_yield {3, 4};
  int a = (co_yield 5) + (co_yield 6);
  say("a", a);
  for (int i = 0; co_yield i < 3; ++i) if (i == 2) break;
  co_yield co_await Pause{7};
}
int main() { at_each_suspension(body); }

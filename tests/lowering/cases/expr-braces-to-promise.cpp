// case:   braced operands of co_yield and co_return, and nested lists
// expect: ~ # | ~ # | y3 | ~ # | y3 | p2 y6 | ~ # | y3 | p2 y6 | | ~ # | y3 | p2 y6 | | y8 | ~ # | y3 | p2 y6 | | y8 |
// expect: s11 | ~ # | y3 | p2 y6 | | y8 | s11 | | ~ # | y3 | p2 y6 | | y8 | s11 | | v9 | ~ # | y3 | p2 y6 | | y8 | s11
// expect: | | v9 | rv45 ~ # alive0
#include "case.hpp"
#include <vector>
struct P {
  int a, b;
};
struct PJ;
struct PPromise {
  P v{};
  inline PJ get_return_object();
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(P p) {
    v = p;
    say("rv", p.a * 10 + p.b);
  }
  void unhandled_exception() { say("un"); }
  auto yield_value(P p) {
    say("y", p.a + p.b);
    return PauseFor<P>{p};
  }
};
struct PJ : Stepped<PPromise> {
  using promise_type = PPromise;
  using Stepped::Stepped;
};
PJ PPromise::get_return_object() { return PJ{std::coroutine_handle<PPromise>::from_promise(*this)}; }
PJ body() {
  P p = co_yield {1, co_await Pause{2}};
  say("p", p.b);
  say("s", (co_yield {p.a, 5}).b + (co_yield {co_await Pause{6}, p.b}).a);
  std::vector<std::vector<int>> v{{1, co_await Pause{2}}, {co_await Pause{3}}, {}};
  say("v", static_cast<int>(v[0].size() + v[1].size() + v.size()) + v[1][0]);
  if (v.size() == 3) co_return {co_await Pause{4}, 5};
  co_return P{.a = 1, .b = co_await Pause{1}};
}
int main() { at_each_suspension(body); }

// case:   co_return of a list in braces that chooses a constructor
// expect: ~ # +2 | ~ -2 # +2 | c2 m2 returned102 -2 -2 -2 ~ # alive0 ~ # +2 | ~ -2 # +2 | | ~ -2 # +2 | | +9
// expect: returned309 -9 -2 ~ # alive0 ~ # +2 | ~ -2 # +2 | +4 m4 returned704 -4 -4 -2 ~ # alive0 ~ # +2 +9
// expect: returned209 -9 -2 ~ # alive0 ~ # +2 +6 m6 returned506 -6 -6 -2 ~ # alive0
#include "case.hpp"
#include <initializer_list>
#include <optional>
struct Value {
  int n;
  Trace t;
  Value(int x, Trace y) : n(x), t(std::move(y)) {}
  Value(std::initializer_list<int> l) : n(static_cast<int>(l.size())), t(9) {}
};
struct Promise;
struct Give : Stepped<Promise> {
  using promise_type = Promise;
  using Stepped::Stepped;
};
struct Promise {
  Give get_return_object() { return Give{std::coroutine_handle<Promise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(const Value& v) { say("returned", v.n * 100 + v.t.id); }
  void unhandled_exception() { say("unhandled"); }
};
Give body(int way) {
  Trace t(2);
  if (way == 1) co_return {co_await Pause{1}, t};
  if (way == 2) co_return {co_await Pause{1}, 2, co_await Pause{3}};
  if (way == 3) co_return {7, Trace(co_await Pause{4})};
  if (way == 4) { if (t.id == 2) co_return {1, 2}; }
  co_return {5, Trace(6)};
}
int main() {
  for (int way = 1; way < 6; ++way) at_each_suspension([&] { return body(way); });
}

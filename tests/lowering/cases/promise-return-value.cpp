// case:   return_value overloads, braced lists, references and void expressions
// expect: +9 int5 -9 # +9 | int6 -9 # +9 +7 trace7 -7 -9 # +9 trace9 -9 # +9 pair3 -9 # +9 | | pair7 -9 # +9
// expect: pointer10 -9 # +9 | pointer8 -9 #
#include "case.hpp"
#include <memory>
struct Any;
struct AnyPromise {
  Any get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  struct Pair { int a, b; };
  void return_value(int v) { say("int", v); }
  void return_value(std::unique_ptr<int> p) { say("pointer", *p); }
  void return_value(const Trace& t) { say("trace", t.id); }
  void return_value(Pair p) { say("pair", p.a + p.b); }
  void unhandled_exception() {}
};
struct Any : Stepped<AnyPromise> {
  using promise_type = AnyPromise;
  using Stepped::Stepped;
};
Any AnyPromise::get_return_object() { return Any{std::coroutine_handle<AnyPromise>::from_promise(*this)}; }
Any body(int v) {
  Trace local(9);
  auto p = std::make_unique<int>(10);
  if (v == 0) co_return 5;
  if (v == 1) co_return co_await Pause{6};
  if (v == 2) co_return Trace(7);
  if (v == 3) co_return local;
  if (v == 4) co_return {1, 2};
  if (v == 5) co_return {co_await Pause{3}, co_await Pause{4}};
  if (v == 6) co_return std::move(p);
  co_return std::make_unique<int>(co_await Pause{8});
}
int main() { for (int v = 0; v < 8; ++v) { { Any j = body(v); j.run(); } say("#"); } }

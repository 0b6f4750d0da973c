// case:   await_transform of several kinds, and operator co_await on its result
// expect: +100 ~ -100 # +100 int | ~ -100 # +100 int | a1 double op | ~ -100 # +100 int | a1 double op | b2
// expect: ref | ~ -100 # +100 int | a1 double op | b2 ref | c3 move | ~ -100 # +100 int | a1 double op | b2
// expect: ref | c3 move | d4 +5 default | ~ -5 -100 # +100 int | a1 double op | b2 ref | c3 move | d4 +5
// expect: default | e10 -5 int | ~ -100 # +100 int | a1 double op | b2 ref | c3 move | d4 +5 default | e10 -5
// expect: int | int | ~ -100 # +100 int | a1 double op | b2 ref | c3 move | d4 +5 default | e10 -5 int | int |
// expect: f7 ~ -100 # alive0
#include "case.hpp"
struct Wrapped { int v; auto operator co_await() const { say("op"); return Pause{v}; } };
struct Shared;
struct SharedPromise {
  Trace own{100};
  Shared get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); }
  Pause await_transform(int v) { say("int"); return {v}; }
  Wrapped await_transform(double v) { say("double"); return {static_cast<int>(v)}; }
  Pause& await_transform(Pause& p) { say("ref"); return p; }
  template <class T> auto await_transform(PauseFor<T>&& p) { say("move"); return std::move(p); }
  Pause await_transform(const Trace& t, int extra = 5) { say("default"); return {t.id + extra}; }
};
struct Shared : Stepped<SharedPromise> {
  using promise_type = SharedPromise;
  using Stepped::Stepped;
};
Shared SharedPromise::get_return_object() { return Shared{std::coroutine_handle<SharedPromise>::from_promise(*this)}; }
Shared body() {
  say("a", co_await 1);
  say("b", co_await 2.5);
  Pause p{3};
  say("c", co_await p);
  say("d", co_await Pause{4});
  say("e", co_await Trace(5));
  say("f", co_await (co_await 6 + 1));
}
int main() { at_each_suspension(body); }

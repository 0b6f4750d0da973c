// case:   void, bool and handle results of await_suspend
// expect: ~ # +1 b1 ~ -1 # +1 b1 b0 x2 self typed noop ~ -1 # +1 b1 b0 x2 self typed noop ~ -1 # +1 b1 b0 x2
// expect: self typed noop end -1 ~ # alive0
#include "case.hpp"
struct Bool {
  bool suspend;
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<>) { say("b", suspend); return suspend; }
  int await_resume() { return 1; }
};
struct Self {
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) { say("self"); return h; }
  void await_resume() {}
};
struct Typed {
  bool await_ready() { return false; }
  auto await_suspend(std::coroutine_handle<VoidJobPromise> h) { say("typed"); return h; }
  void await_resume() {}
};
struct Noop {
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) { say("noop"); return std::noop_coroutine(); }
  void await_resume() {}
};
VoidJob body() {
  Trace t(1);
  say("x", co_await Bool{true} + co_await Bool{false});
  co_await Self{};
  co_await Typed{};
  co_await Noop{};
  co_await std::suspend_always{};
  co_await std::suspend_never{};
  say("end");
}
int main() { at_each_suspension(body); }

// case:   the promise is constructed from the parameters, or by default when that does not fit
// expect: +2 m2 -2 mode3 v52 -2 mode65 mode0
#include "case.hpp"
struct Seen;
struct SeenPromise {
  int mode;
  SeenPromise() : mode(0) {}
  SeenPromise(int& v, const Trace& t) : mode(v + t.id) { v = 50; }
  explicit SeenPromise(const char* s) : mode(s[0]) {}
  Seen get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Seen : Stepped<SeenPromise> {
  using promise_type = SeenPromise;
  using Stepped::Stepped;
};
Seen SeenPromise::get_return_object() { return Seen{std::coroutine_handle<SeenPromise>::from_promise(*this)}; }
Seen two(int v, Trace t) { say("v", v + t.id); co_return; }
Seen text(const char*) { co_return; }
Seen none(double, double, double) { co_return; }
int main() {
  { Seen s = two(1, Trace(2)); say("mode", s.h.promise().mode); s.run(); }
  { Seen s = text("A"); say("mode", s.h.promise().mode); }
  { Seen s = none(1, 2, 3); say("mode", s.h.promise().mode); }
}

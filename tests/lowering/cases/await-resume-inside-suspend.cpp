// case:   await_suspend resumes its own coroutine, on and on
// expect: +1 i0 i1 i2 | out -1 done1
#include "case.hpp"
struct Inline {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> h) { h.resume(); }
  void await_resume() {}
};
VoidJob body() {
  Trace t(1);
  for (int i = 0; i < 3; ++i) { co_await Inline{}; say("i", i); }
  co_await Pause{0};
}
int main() { VoidJob j = body(); j.step(); say("out"); j.step(); say("done", j.h.done()); }

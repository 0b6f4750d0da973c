// case:   more suspension points than a byte can count
// expect: +1 s570 -1 n300 +1 -1 alive0
#include "case.hpp"
#define W1(n) s += co_await Pause{n};
#define W10(n) W1(n) W1(n) W1(n) W1(n) W1(n) W1(n) W1(n) W1(n) W1(n) W1(n)
struct Quiet {
  int v;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>) {}
  int await_resume() { return v; }
};
#define Pause Quiet
VoidJob body() {
  Trace t(1);
  long s = 0;
  W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1)
  W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1)
  W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1) W10(2) W10(3) W10(1)
  say("s", static_cast<int>(s));
}
int main() {
  int n = 0;
  { VoidJob j = body(); while (j.step()) ++n; }
  say("n", n);
  { VoidJob j = body(); for (int i = 0; i < 280; ++i) j.step(); }
  say("alive", Trace::alive);
}

// case:   default arguments are evaluated at the call, their temporaries live as long as the others
// expect: ~ # | ~ # | +9 use1 r10 -9 | ~ # | +9 use1 r11 -9 | +3 use2 r6 -3 |5 ~ # | +9 use1 r13 -9 | +3 use2
// expect: r8 -3 |5 +9 use1 | ~ -9 # | +9 use1 r16 -9 | +3 use2 r11 -3 |5 +9 use1 | r22 -9 ~ # alive0
#include "case.hpp"
static int counter = 0;
static int use(int a, const Trace& t = Trace(9), int n = ++counter) { say("use", a); return t.id + n; }
struct Late {  // await_suspend with a default argument
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>, int n = 5) { say("|", n); }
  int await_resume() { return 1; }
};
VoidJob body() {
  say("r", use(co_await Pause{1}));
  say("r", use(co_await Pause{2}, Trace(3)));
  say("r", use(co_await Late{}) + co_await Pause{4});
}
int main() { at_each_suspension(body); }

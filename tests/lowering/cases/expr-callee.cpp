// case:   an awaited callee is evaluated before its arguments
// expect: ~ # | ~ # | n1 call1 r4 | ~ # | n1 call1 r4 | | ~ # | n1 call1 r4 | | n4 call3 r10 pick | ~ # | n1
// expect: call1 r4 | | n4 call3 r10 pick | | ~ # | n1 call1 r4 | | n4 call3 r10 pick | | call5 r16 ~ # alive0
#include "case.hpp"
static int twice(int a, int b) { say("call", a); return 2 * a + b; }
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  say("r", (co_await PauseFor<int (*)(int, int)>{twice})(note(1), 2));
  say("r", (co_await PauseFor<int (*)(int, int)>{twice})(co_await Pause{3}, note(4)));
  const auto pick = [] { say("pick"); return &twice; };
  say("r", pick()(co_await Pause{5}, co_await Pause{6}));
}
int main() { at_each_suspension(body); }

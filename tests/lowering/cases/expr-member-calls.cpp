// case:   chains of member calls with awaited objects and arguments
// expect: ~ # | ~ # | add2 n3 add3 | ~ # | add2 n3 add3 | add4 a10 | ~ # | add2 n3 add3 | add4 a10 | n5 add5
// expect: b15 | ~ # | add2 n3 add3 | add4 a10 | n5 add5 b15 | | ~ # | add2 n3 add3 | add4 a10 | n5 add5 b15 |
// expect: | add6 c7 | ~ # | add2 n3 add3 | add4 a10 | n5 add5 b15 | | add6 c7 | add7 d8 +8 | ~ -8 # | add2 n3
// expect: add3 | add4 a10 | n5 add5 b15 | | add6 c7 | add7 d8 +8 | e17 -8 | ~ # | add2 n3 add3 | add4 a10 | n5
// expect: add5 b15 | | add6 c7 | add7 d8 +8 | e17 -8 | f2 ~ # alive0
#include "case.hpp"
struct Number {
  int v;
  Number add(int n) const { say("add", n); return {v + n}; }
  Number* self() { return this; }
};
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  Number n{1};
  say("a", n.add(co_await Pause{2}).add(note(3)).add(co_await Pause{4}).v);
  say("b", (co_await PauseFor<Number>{{10}}).add(note(5)).v);
  say("c", (co_await PauseFor<Number*>{&n})->add(co_await Pause{6}).v);
  say("d", (co_await PauseRef<Number>{n}).self()->add(7).v);
  say("e", Trace(8).plus(co_await Pause{9}));
  say("f", n.self()->self()->v + co_await Pause{1});
}
int main() { at_each_suspension(body); }

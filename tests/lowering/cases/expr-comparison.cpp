// case:   rewritten comparison operators
// expect: ~ # make1 | ~ # make1 | a1 | ~ # make1 | a1 | make2 b0 | ~ # make1 | a1 | make2 b0 | | ~ # make1 |
// expect: a1 | make2 b0 | | c0 | ~ # make1 | a1 | make2 b0 | | c0 | eq5 d1 | ~ # make1 | a1 | make2 b0 | | c0
// expect: | eq5 d1 | eq6 e1 ~ # alive0
#include "case.hpp"
#include <compare>
struct Value {
  int v;
  auto operator<=>(const Value&) const = default;
};
struct Left {
  int v;
  bool operator==(int n) const { say("eq", n); return v == n; }
};
static Value make(int v) { say("make", v); return {v}; }
VoidJob body() {
  say("a", make(1) < co_await PauseFor<Value>{{2}});
  say("b", co_await PauseFor<Value>{{2}} != make(2));
  say("c", co_await PauseFor<Value>{{2}} >= co_await PauseFor<Value>{{3}});
  say("d", Left{4} != co_await Pause{5});
  say("e", co_await Pause{6} == Left{6});
}
int main() { at_each_suspension(body); }

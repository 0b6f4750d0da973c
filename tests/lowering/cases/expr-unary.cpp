// case:   unary operators on awaited operands
// expect: ~ # | ~ # | a-1 | ~ # | a-1 | b0 | ~ # | a-1 | b0 | c-2 | ~ # | a-1 | b0 | c-2 | d5 | ~ # | a-1 | b0
// expect: | c-2 | d5 | e1 | ~ # | a-1 | b0 | c-2 | d5 | e1 | | ~ # | a-1 | b0 | c-2 | d5 | e1 | | | ~ # | a-1
// expect: | b0 | c-2 | d5 | e1 | | | f11 g6 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int x = 5;
  say("a", -co_await Pause{1});
  say("b", !co_await Pause{1});
  say("c", ~co_await Pause{1});
  say("d", *co_await PauseFor<int*>{&x});
  say("e", &co_await PauseRef<int>{x} == &x);
  ++co_await PauseRef<int>{x};
  (co_await PauseRef<int>{x})--;
  say("f", (co_await PauseRef<int>{x})++ + x);
  say("g", x);
}
int main() { at_each_suspension(body); }

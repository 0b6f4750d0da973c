// case:   casts of awaited operands
// expect: ~ # | ~ # | a2 | ~ # | a2 | b2 | ~ # | a2 | b2 | c3 | ~ # | a2 | b2 | c3 | +4 d4 -4 | ~ # | a2 | b2
// expect: | c3 | +4 d4 -4 | e2 | ~ # | a2 | b2 | c3 | +4 d4 -4 | e2 | f2 | ~ # | a2 | b2 | c3 | +4 d4 -4 | e2
// expect: | f2 | g1 | ~ # | a2 | b2 | c3 | +4 d4 -4 | e2 | f2 | g1 | h1 | ~ # | a2 | b2 | c3 | +4 d4 -4 | e2 |
// expect: f2 | g1 | h1 | i1 ~ # alive0
#include "case.hpp"
struct Base { virtual ~Base() = default; int b = 1; };
struct Derived : Base { int d = 2; };
VoidJob body() {
  Derived obj;
  say("a", static_cast<int>(static_cast<long>(co_await Pause{1}) + 1));
  say("b", (int)(co_await PauseFor<double>{2.5}));
  say("c", int(co_await PauseFor<double>{3.5}));
  say("d", Trace(co_await Pause{4}).id);
  say("e", dynamic_cast<Derived*>(co_await PauseFor<Base*>{&obj})->d);
  say("f", static_cast<Derived&>(co_await PauseRef<Base>{obj}).d);
  say("g", *const_cast<int*>(co_await PauseFor<const int*>{&obj.b}));
  Base& up = co_await PauseRef<Derived>{obj};
  say("h", up.b);
  say("i", static_cast<int>(reinterpret_cast<char*>(co_await PauseFor<Base*>{&obj}) == reinterpret_cast<char*>(&obj)));
}
int main() { at_each_suspension(body); }

// case:   an aggregate with a base class beside a suspension
// expect: ~ # | ~ # | | ~ # | | +2 d3 -2 ~ # alive0
#include "case.hpp"
struct Base { int a; };
struct Derived : Base { Trace t; };
VoidJob body() {
  Derived d{{co_await Pause{1}}, Trace(co_await Pause{2})};
  say("d", d.a + d.t.id);
}
int main() { at_each_suspension(body); }

// case:   an aggregate with default member initializers beside a suspension
// expect: ~ # | ~ # | +2 o6 | ~ -2 # | +2 o6 | +2 | ~ -2 -2 # | +2 o6 | +2 | p11 -2 -2 ~ # alive0
#include "case.hpp"
struct Options {
  int a;
  Trace b = Trace(2);
  int c = 3;
};
VoidJob body() {
  Options o{co_await Pause{1}};
  say("o", o.a + o.b.id + o.c);
  Options p{.a = co_await Pause{4}, .c = co_await Pause{5}};
  say("p", p.a + p.b.id + p.c);
}
int main() { at_each_suspension(body); }

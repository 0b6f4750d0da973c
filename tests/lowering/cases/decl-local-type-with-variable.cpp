// case:   a class declared together with a variable, and an unnamed one
// expect: | x1 | y2
#include "case.hpp"
VoidJob body() {
  struct Named { int a; } x{1}, *p = &x;
  co_await Pause{0};
  say("x", p->a);
  struct { int b; } y{2};
  co_await Pause{0};
  say("y", y.b);
}
int main() { VoidJob j = body(); j.run(); }

// case:   the right operand of = and op= first
// expect: | at0 at0 | at1 | | x28 y4 | at0 at2 sum27 | x113
#include "case.hpp"
static int data[3];
static int& at(int i) { say("at", i); return data[i]; }
VoidJob body() {
  at(0) = co_await Pause{5};
  at(1) += at(0) + co_await Pause{6};
  int x = 1, y = 2;
  x = y = co_await Pause{7};
  x *= y -= co_await Pause{3};
  say("x", x);
  say("y", y);
  at(2) = at(0) = co_await Pause{8};
  say("sum", data[0] + data[1] + data[2]);
  x <<= co_await Pause{2};
  x |= 1;
  say("x", x);
}
int main() { { VoidJob j = body(); j.run(); } }

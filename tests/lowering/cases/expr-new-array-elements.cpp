// case:   an array new with awaited elements
// expect: | +4 | +5 t9 -5 -4 | | b13
#include "case.hpp"
VoidJob body() {
  Trace* t = new Trace[2]{Trace(co_await Pause{4}), Trace(co_await Pause{5})};
  say("t", t[0].plus(t[1].id));
  delete[] t;
  unsigned n = static_cast<unsigned>(co_await Pause{3});
  int* b = new int[n]{6, co_await Pause{7}};
  say("b", b[0] + b[1] + b[2]);
  delete[] b;
}
int main() { VoidJob j = body(); j.run(); }

// case:   an operand read before a suspension keeps its value
// expect: | r2 | r35
#include "case.hpp"
VoidJob body(int& shared) {
  int local = 1;
  int r = shared + co_await Pause{0} + local;
  say("r", r);
  r = shared * 10 + co_await Pause{0} + shared;
  say("r", r);
}
int main() {
  int shared = 1;
  VoidJob j = body(shared);
  while (j.step()) shared += 2;
}

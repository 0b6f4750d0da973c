// case:   goto past a variable without an initializer, in the same scope
// expect: ~ # | ~ # | n5 | ~ # | n5 | n5 ~ # alive0 
#include "case.hpp"
VoidJob body() {
  int round = 0;
  if (round == 0) goto past;
  say("never");
  int n;
  n = 1;
  co_await Pause{n};
past:
  n = 5;
  co_await Pause{0};
  say("n", n++);
  if (++round < 2) goto past;
}
int main() { at_each_suspension(body); }

// case:   an asm statement writes its outputs: locals that nothing else modifies, across suspensions
// expect: ~ # | ~ # | | ~ # | | to3 | ~ # | | to3 | both4 | ~ # | | to3 | both4 | twice7 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int from = co_await Pause{3}, to = 0, both = 4;
  asm volatile("" : "=r"(to) : "0"(from));
  co_await Pause{0};
  say("to", to);
  asm volatile("" : "+r"(both) : "r"(to));
  co_await Pause{0};
  say("both", both);
  int twice;
  { asm volatile("" : [out] "=r"(twice) : "0"(to + both)); }
  co_await Pause{0};
  say("twice", twice);
}
int main() { at_each_suspension(body); }

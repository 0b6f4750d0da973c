// case:   case labels inside a loop
// expect: b | c d # | a b | c d # d | a b | c d # | c d | a b | c d #
#include "case.hpp"
VoidJob body(int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
  case 0: do { co_await Pause{0}; say("a"); [[fallthrough]];
  case 3: say("b"); [[fallthrough]];
  case 2: co_await Pause{0}; say("c"); [[fallthrough]];
  case 1: say("d");
          } while (--n > 0);
  }
}
int main() { for (int i = 3; i < 7; ++i) { VoidJob j = body(i); j.run(); say("#"); } }

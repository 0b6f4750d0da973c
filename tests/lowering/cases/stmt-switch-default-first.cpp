// case:   default stands first and falls through
// expect: d | one | # one | # two #
#include "case.hpp"
VoidJob body(int v) {
  switch (v) {
  default: say("d"); co_await Pause{0};
  case 1: say("one"); co_await Pause{0}; break;
  case 2: say("two");
  }
}
int main() { for (int v = 0; v < 3; ++v) { VoidJob j = body(v); j.run(); say("#"); } }

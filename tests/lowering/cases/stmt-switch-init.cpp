// case:   a switch with an init statement, a condition declaration and declarations in cases
// expect: +1 | | x2 -1 +1 | -1 | # +2 | | y5 -2 +2 | -2 # +3 | -3 +3 | -3 #
#include "case.hpp"
VoidJob body(int v) {
  switch (Trace t(v); int k = co_await Pause{t.id}) {
  case 1: {
    int x = co_await Pause{k + 1};
    say("x", x);
    break;
  }
  case 2:
    int y;
    y = co_await Pause{5};
    say("y", y);
  }
  switch (Trace(v).plus(co_await Pause{1})) case 2: co_await Pause{0};
}
int main() { for (int v = 1; v < 4; ++v) { VoidJob j = body(v); j.run(); say("#"); } }

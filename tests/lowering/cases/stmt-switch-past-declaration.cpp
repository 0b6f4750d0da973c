// case:   a jump past a variable without an initializer: its bytes are a sibling scope's before
// expect: ~ # +11 | ~ -11 # +11 | a11 -11 | ~ # +11 | a11 -11 | x5 y5 +11 | ~ -11 # +11 | a11 -11 | x5 y5 +11 | a11 -11 | ~ #
// expect: +11 | a11 -11 | x5 y5 +11 | a11 -11 | x6 y5 ~ # alive0
#include "case.hpp"
VoidJob body() {
  for (int i = 0; i < 2; ++i) {
    {
      Trace a(11);
      co_await Pause{0};
      say("a", a.id);
    }
    switch (i) {
      int y;
    case 7:
      int x;
    case 0:
      y = 5;
    case 1:
      x = 5 + i;
      co_await Pause{0};
      say("x", x);
      if (i == 1) y = 5;
      say("y", y);
    }
  }
}
int main() { at_each_suspension(body); }

// case:   nested switches, and a switch in a loop with break and continue
// expect: ~ # +0 -0 +1 | ~ -1 # +0 -0 +1 | | ~ -1 # +0 -0 +1 | | green after i1 -1 +2 | ~ -2 # +0 -0 +1 | |
// expect: green after i1 -1 +2 | -2 +3 default i3 -3 ~ # alive0
#include "case.hpp"
enum class Color { red, green, blue };
VoidJob body() {
  for (int i = 0; i < 4; ++i) {
    Trace t(i);
    switch (i) {
    case 0: continue;
    case 1:
      switch (static_cast<Color>(co_await Pause{i})) {
      case Color::red: say("red"); break;
      case Color::green: co_await Pause{0}; say("green"); break;
      case Color::blue: break;
      }
      say("after");
      break;
    case 2: co_await Pause{0}; continue;
    default: say("default"); break;
    }
    say("i", i);
  }
}
int main() { at_each_suspension(body); }

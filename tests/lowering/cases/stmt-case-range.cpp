// case:   GNU's case ranges
// flags: -Wno-pedantic
// expect: ~ # | ~ # | other ~ # alive0 ~ # | ~ # | low ~ # alive0 ~ # | ~ # | low ~ # alive0 ~ # four +4 | ~ -4 # four
// expect: +4 | | ~ -4 # four +4 | | more -4 ~ # alive0 ~ # +5 | ~ -5 # +5 | five -5 ~ # alive0 ~ # +9 | ~ -9 # +9 | |
// expect: ~ -9 # +9 | | more -9 ~ # alive0 ~ # | ~ # | other ~ # alive0
#include "case.hpp"
enum { low = 1, high = 9 };
VoidJob body(int v) {
  switch (v) {
  case low ... 3: co_await Pause{0}; say("low"); break;
  case 4 ... 4: say("four"); [[fallthrough]];
  case 5 ... high: {
    Trace t(v);
    switch (co_await Pause{v}) {
    case 5 ... 6: say("five"); break;
    default: co_await Pause{0}; say("more");
    }
    break;
  }
  default: co_await Pause{0}; say("other");
  }
}
int main() {
  for (int v : {0, 1, 3, 4, 5, 9, 10}) at_each_suspension([v] { return body(v); });
}

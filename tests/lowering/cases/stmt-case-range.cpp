// case:   GNU's case ranges
// expect: | low | high
#include "case.hpp"
VoidJob body(int v) {
  switch (v) {
  case 1 ... 3: co_await Pause{0}; say("low"); break;
  default: co_await Pause{0}; say("high");
  }
}
int main() { for (int v = 3; v < 5; ++v) { VoidJob j = body(v); j.run(); } }

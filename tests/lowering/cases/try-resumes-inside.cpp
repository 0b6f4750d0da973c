// case:   resuming re-enters the try block; the handler catches what is thrown after a suspension
// expect: ~ # +1 +2 | ~ -2 -1 # +1 +2 | no -2 | ~ -1 # +1 +2 | no -2 | +2 | ~ -2 -1 # +1 +2 | no -2 | +2 | -2
// expect: caught1 | ~ -1 # +1 +2 | no -2 | +2 | -2 caught1 | end -1 ~ # alive0
#include "case.hpp"
VoidJob body() {
  Trace t(1);
  for (int i = 0; i < 2; ++i) {
    try {
      Trace u(2);
      co_await Pause{0};
      if (i == 1) throw i;
      say("no");
    } catch (int e) {
      say("caught", e);
    }
    co_await Pause{0};
  }
  say("end");
}
int main() { at_each_suspension(body); }

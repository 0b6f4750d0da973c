// case:   goto, break and co_return out of switches, try blocks and loops
// expect: ~ # +10 +20 | ~ -20 -10 # +10 +20 | +30 -30 -20 -10 +11 +21 | ~ -21 -11 # +10 +20 | +30 -30 -20 -10 +11 +21
// expect: | -21 -11 done | ~ # +10 +20 | +30 -30 -20 -10 +11 +21 | -21 -11 done | ~ # alive0 ~ # +10 +20 | ~ -20 -10 #
// expect: +10 +20 | -20 -10 done | ~ # +10 +20 | -20 -10 done | ~ # alive0 ~ # +10 +20 | ~ -20 -10 # +10 +20 | +40 | ~
// expect: -40 -20 -10 # +10 +20 | +40 | -40 +50 | ~ -50 -20 -10 # +10 +20 | +40 | -40 +50 | -50 c out -20 -10 +11 +21
// expect: | ~ -21 -11 # +10 +20 | +40 | -40 +50 | -50 c out -20 -10 +11 +21 | -21 -11 ~ # alive0
#include "case.hpp"
VoidJob body(int n) {
  for (int i = 0; i < 3; ++i) {
    Trace a(i + 10);
    for (;;) {
      Trace b(i + 20);
      switch (co_await Pause{n + i}) {
        Trace* never;
      case 0: {
        Trace c(30);
        goto next;
      }
      case 1:
        goto done;
      case 2: {
        Trace d(40);
        if (co_await Pause{1}) break;
      }
      default:
        co_return;
      }
      try {
        Trace e(50);
        co_await Pause{1};
        if (i == n) goto out;
        throw 1;
      } catch (int) {
        say("c");
        if (i == 2) goto done;
      }
    out:
      say("out");
      goto next;
    }
  next:;
  }
done:
  say("done");
  co_await Pause{0};
}
int main() {
  for (int n : {0, 1, 2}) at_each_suspension([n] { return body(n); });
}

// case:   jumps to labels in the same catch handler, and in a statement without a suspension
// expect: ~ # +1 | ~ -1 # +1 | -1 after | ~ # +1 | -1 after | +10 -10 +11 i1 -11 | ~ # +1 | -1 after | +10 -10 +11 i1
// expect: -11 | ~ # alive0 ~ # +1 | ~ -1 # +1 | -1 +2 +3 -3 +4 -4 done1 done2 end -2 after | ~ # +1 | -1 +2 +3 -3 +4
// expect: -4 done1 done2 end -2 after | +10 i0 -10 +11 -11 | ~ # +1 | -1 +2 +3 -3 +4 -4 done1 done2 end -2 after |
// expect: +10 i0 -10 +11 -11 | ~ # alive0 ~ # +1 | ~ -1 # +1 | -1 +2 +3 -3 +4 -4 +5 -5 done2 end -2 after | ~ # +1 |
// expect: -1 +2 +3 -3 +4 -4 +5 -5 done2 end -2 after | +10 i0 -10 +11 i1 -11 | ~ # +1 | -1 +2 +3 -3 +4 -4 +5 -5 done2
// expect: end -2 after | +10 i0 -10 +11 i1 -11 | ~ # alive0 ~ # +1 | ~ -1 # +1 | -1 +2 +3 -3 +4 -4 +5 -5 +6 -6 done3
// expect: -2 | ~ # +1 | -1 +2 +3 -3 +4 -4 +5 -5 +6 -6 done3 -2 | +10 i0 -10 +11 i1 -11 | ~ # +1 | -1 +2 +3 -3 +4 -4
// expect: +5 -5 +6 -6 done3 -2 | +10 i0 -10 +11 i1 -11 | ~ # alive0 ~ # +1 | ~ -1 # +1 | -1 +2 +3 -3 +4 -4 +5 -5 +6
// expect: -6 +7 -7 done4 end -2 after | ~ # +1 | -1 +2 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7 done4 end -2 after | +10 i0 -10
// expect: +11 i1 -11 | ~ # +1 | -1 +2 +3 -3 +4 -4 +5 -5 +6 -6 +7 -7 done4 end -2 after | +10 i0 -10 +11 i1 -11 | ~ #
// expect: alive0
#include "case.hpp"
VoidJob body(int x) {
  try {
    Trace t(1);
    co_await Pause{1};
    if (x) throw x;
  } catch (int e) {
    Trace u(2);
    for (int i = 0;; ++i) {
      Trace v(3 + i);
      if (i == e) goto done;
    }
    say("never");
  done:
    say("done", e);
    if (e++ == 1) goto done;
    if (e == 4) goto out;
    say("end");
  }
  say("after");
out:
  co_await Pause{2};
  for (int i = 0; i < 2; ++i) {
    Trace w(10 + i);
    if (x == i) goto next;
    say("i", i);
  next:;
  }
  co_await Pause{3};
}
int main() { for (int x = 0; x < 5; ++x) at_each_suspension([x] { return body(x); }); }

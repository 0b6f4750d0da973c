// case:   nested try blocks, rethrow, catch all, jumps out of a try block
// expect: +1 +2 | -2 -1 i0 +1 +2 | -2 -1 i1 +1 +2 | -2 -1 i2 | end # +1 +2 | -2 int1 -1 any i0 +1 +2 | -2 int1
// expect: -1 any | end # +1 +2 | -2 -1 any i0 +1 +2 | -2 -1 any | end # +1 +2 | -2 -1 | end # +1 +2 | -2 -1 +1
// expect: +2 | -2 -1 +1 +2 | -2 -1 | end # +1 +2 | -2 -1 #
#include "case.hpp"
VoidJob body(int v) {
  for (int i = 0; i < 3; ++i) {
    try {
      Trace a(1);
      try {
        Trace b(2);
        co_await Pause{0};
        if (v == 1) throw 1;
        if (v == 2) throw 2.0;
        if (v == 3) break;
        if (v == 4) continue;
        if (v == 5) co_return;
      } catch (int e) {
        say("int", e);
        throw;
      }
    } catch (...) {
      say("any");
      if (i == 1) break;
    }
    say("i", i);
  }
  co_await Pause{0};
  say("end");
}
int main() { for (int v = 0; v < 6; ++v) { VoidJob j = body(v); j.run(); say("#"); } }

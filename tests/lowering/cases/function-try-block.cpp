// case:   a function whose body is a try block, alone in its file
// expect: +1 | done -1 +1 | -1 caught7
#include "case.hpp"
VoidJob whole(bool fail) try {
  Trace t(1);
  co_await Pause{0};
  if (fail) throw 7;
  say("done");
} catch (int n) {
  say("caught", n);
}
int main() {
  whole(false).run();
  whole(true).run();
}

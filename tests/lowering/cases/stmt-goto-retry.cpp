// case:   a retry loop by goto around an await, past plain declarations
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | tries3 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int tries, v;
  tries = 0;
retry:
  v = co_await Pause{++tries};
  if (v < 3) goto retry;
  if (v == 3) goto last;
  say("never");
last:
  say("tries", tries);
  co_return;
}
int main() { at_each_suspension(body); }

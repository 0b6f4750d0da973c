// case:   a local with the name of the coroutine itself; labels and locals of one name
// expect: | | | | inner0 | inner1 body8
#include "case.hpp"
VoidJob body(int value) {
  int body = value;
  again:
  int again = co_await Pause{2};
  body += again;
  if (body < 6) goto again;
  for (int value = 0; value < 2; ++value) { int body = value; co_await Pause{0}; say("inner", body); }
  say("body", body + value);
}
int main() { VoidJob j = body(1); j.run(); }

// case:   an array new with an awaited size
// expect: | a3
#include "case.hpp"
VoidJob body() {
  int* a = new int[static_cast<unsigned>(co_await Pause{3})]{1, 2};
  say("a", a[0] + a[1] + a[2]);
  delete[] a;
}
int main() { VoidJob j = body(); j.run(); }

// case:   addresses of scalars, objects and array elements are the same after a suspension
// expect: ~ # +2 | ~ -2 # +2 | same1 | ~ -2 # +2 | same1 | v16 -2 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int n = 1;
  Trace t(2);
  int list[3] = {1, 2, 3};
  int* pn = &n;
  const Trace* pt = &t;
  int* pl = list + 1;
  int Trace::* pm = &Trace::id;
  co_await Pause{0};
  *pn = 5;
  *pl = 7;
  say("same", pn == &n && pt == &t && pl == &list[1]);
  co_await Pause{0};
  say("v", n + pt->id + list[1] + t.*pm);
}
int main() { at_each_suspension(body); }

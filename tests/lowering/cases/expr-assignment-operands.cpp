// case:   the right operand of an assignment is first, also of overloaded operators
// expect: ~ # | ~ # | +2 | ~ -2 # | +2 | +1 at1 set2 -1 -2 | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | ~ -7 # | +2 | +1 at1
// expect: set2 -1 -2 | +7 | +1 self1 | ~ -1 -7 # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2
// expect: -1 -7 v9 | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2 -1 -7 v9 | | ~ # | +2 |
// expect: +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2 -1 -7 v9 | | | ~ # | +2 | +1 at1 set2 -1 -2 |
// expect: +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2 -1 -7 v9 | | | | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 |
// expect: +2 self2 +3 at3 set7 -3 -2 -1 -7 v9 | | | | | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3
// expect: set7 -3 -2 -1 -7 v9 | | | | | | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2 -1
// expect: -7 v9 | | | | | | | ~ # | +2 | +1 at1 set2 -1 -2 | +7 | +1 self1 | +2 self2 +3 at3 set7 -3 -2 -1 -7 v9 | | |
// expect: | | | | a631 ~ # alive0
#include "case.hpp"
struct Cell {
  int v = 0;
  Cell& operator=(const Trace& t) {
    say("set", t.id);
    v = t.id;
    return *this;
  }
};
struct Grid {
  Cell c[4];
  Cell& operator[](const Trace& i) {
    say("at", i.id);
    return c[i.id];
  }
  Grid& self(const Trace& t) {
    say("self", t.id);
    return *this;
  }
};
VoidJob body() {
  Grid g;
  g[Trace(co_await Pause{1})] = Trace(co_await Pause{2});
  g.self(Trace(co_await Pause{1})).self(Trace(co_await Pause{2}))[Trace(3)] = Trace(co_await Pause{7});
  say("v", g.c[3].v + g.c[1].v);
  int a[3] = {0, 0, 0};
  int i = 0;
  a[i++] = i + co_await Pause{5};
  a[co_await Pause{1}] += co_await Pause{i};
  ++*co_await PauseFor<int*>{&a[2]};
  (co_await PauseRef<int>{a[0]})++;
  co_await PauseRef<int>{a[1]} *= co_await Pause{3};
  say("a", a[0] * 100 + a[1] * 10 + a[2]);
}
int main() { at_each_suspension(body); }

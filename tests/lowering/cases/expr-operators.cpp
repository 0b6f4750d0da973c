// case:   overloaded operators with awaited operands
// expect: ~ # | ~ # | +2 | ~ # | +2 | -3 a0 | ~ # | +2 | -3 a0 | | ~ # | +2 | -3 a0 | | b7 | ~ # | +2 | -3 a0
// expect: | | b7 | arrow c1 | ~ # | +2 | -3 a0 | | b7 | arrow c1 | star d1 | ~ # | +2 | -3 a0 | | b7 | arrow
// expect: c1 | star d1 | add4 | ~ # | +2 | -3 a0 | | b7 | arrow c1 | star d1 | add4 | add5 add6 | ~ # | +2 |
// expect: -3 a0 | | b7 | arrow c1 | star d1 | add4 | add5 add6 | e17 | ~ # | +2 | -3 a0 | | b7 | arrow c1 |
// expect: star d1 | add4 | add5 add6 | e17 | f17 | ~ # | +2 | -3 a0 | | b7 | arrow c1 | star d1 | add4 | add5
// expect: add6 | e17 | f17 | g1 | ~ # | +2 | -3 a0 | | b7 | arrow c1 | star d1 | add4 | add5 add6 | e17 | f17
// expect: | g1 | both h0 | ~ # | +2 | -3 a0 | | b7 | arrow c1 | star d1 | add4 | add5 add6 | e17 | f17 | g1 |
// expect: both h0 | i9 ~ # alive0
#include "case.hpp"
struct N {
  int v;
  N operator+(N o) const { say("+", o.v); return {v + o.v}; }
  friend N operator-(N a, N b) { say("-", b.v); return {a.v - b.v}; }
  int operator()(int a, int b) const { return v + a * b; }
  N* operator->() { say("arrow"); return this; }
  N& operator*() { say("star"); return *this; }
  N& operator+=(int n) { say("add", n); v += n; return *this; }
  N& operator++() { ++v; return *this; }
  N operator++(int) { N old = *this; ++v; return old; }
  bool operator!() const { return v == 0; }
  friend bool operator&&(N a, N b) { say("both"); return a.v && b.v; }
};
VoidJob body() {
  N n{1};
  say("a", (n + co_await PauseFor<N>{{2}} - co_await PauseFor<N>{{3}}).v);
  say("b", n(co_await Pause{2}, co_await Pause{3}));
  say("c", (co_await PauseRef<N>{n})->v);
  say("d", (*co_await PauseRef<N>{n}).v);
  n += co_await Pause{4};
  (n += co_await Pause{5}) += 6;
  say("e", (++co_await PauseRef<N>{n}).v);
  say("f", (co_await PauseRef<N>{n})++.v);
  say("g", !co_await PauseFor<N>{{0}});
  say("h", N{1} && co_await PauseFor<N>{{0}});
  say("i", (co_await PauseFor<N>{{7}})(1, 2));
}
int main() { at_each_suspension(body); }

// case:   GNU's ?: without a second operand: what is asked is evaluated once
// flags: -Wno-pedantic
// expect: ~ # | ~ # | | ~ # | | v3 | ~ # | | v3 | v5 counted1 | ~ # | | v3 | v5 counted2 | p13 | ~ # | | v3 | v5
// expect: counted3 | p13 | | ~ # | | v3 | v5 counted4 | p13 | | other9 | ~ # | | v3 | v5 counted5 | p13 | | other9 | |
// expect: ~ # | | v3 | v5 counted6 | p13 | | other9 | | chain13 ~ # alive0 ~ # +4 ask4 | ~ -4 # +4 ask4 | +7 -4 m7 +4
// expect: ask4 | ~ -4 -7 # +4 ask4 | +7 -4 m7 +4 ask4 | +8 | ~ -8 -4 -7 # +4 ask4 | +7 -4 m7 +4 ask4 | +8 | t11 -8 -4
// expect: | ~ -7 # +4 ask4 | +7 -4 m7 +4 ask4 | +8 | t11 -8 -4 | +4 ask4 +9 s9 -9 -4 ask7 r7 -7 ~ # alive0 ~ # +6 ask6
// expect: m6 -6 m6 +6 ask6 m6 | ~ -6 -6 -6 # +6 ask6 m6 -6 m6 +6 ask6 m6 | t9 -6 -6 | ~ -6 # +6 ask6 m6 -6 m6 +6 ask6
// expect: m6 | t9 -6 -6 | +6 ask6 m6 s6 -6 -6 ask6 r6 -6 ~ # alive0
#include "case.hpp"
struct Maybe : Trace {
  using Trace::Trace;
  explicit operator bool() const { say("ask", id); return id > 5; }
};
static int count = 0;
static int* counted(int& v) { say("counted", ++count); return v ? &v : nullptr; }
static int take(const Maybe& m) { return m.id; }
VoidJob scalars() {
  int v = co_await Pause{0} ?: co_await Pause{3};
  say("v", v);
  v = co_await Pause{5} ?: co_await Pause{6};
  say("v", v);
  long wide = v ?: co_await PauseFor<long>{7};
  int zero = 0, other = 8;
  int* p = counted(zero) ?: co_await PauseFor<int*>{&other};
  say("p", *p + static_cast<int>(wide));
  (co_await PauseRef<int>{zero} ?: co_await PauseRef<int>{other}) = 9;
  say("other", other + zero);
  say("chain", (zero ?: co_await Pause{0} ?: co_await Pause{4}) + (other ?: co_await Pause{1}));
}
VoidJob objects(int n) {
  Maybe m = Maybe(n) ?: Maybe(co_await Pause{7});
  say("m", m.id);
  say("t", (Maybe(n) ?: Maybe(co_await Pause{8})).plus(1) + co_await Pause{2});
  say("s", take(Maybe(co_await Pause{n}) ?: Maybe(9)));
  say("r", (m ?: co_await PauseRef<Maybe>{m}).id);
}
int main() {
  at_each_suspension(scalars);
  at_each_suspension([] { return objects(4); });
  at_each_suspension([] { return objects(6); });
}

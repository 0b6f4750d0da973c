// case:   nested arrays of objects, elements that nobody wrote, array designators, parentheses, default member initializers
// flags: -Wno-missing-braces -Wno-missing-field-initializers -Wno-c99-designator -Wno-pedantic
// expect: ~ # +1 +3 | ~ -3 -1 # +1 +3 | +5 | ~ -5 -3 -1 # +1 +3 | +5 | +6 g12 +1 +4 | ~ -4 -1 -6 -5 -3 -1 # +1 +3 |
// expect: +5 | +6 g12 +1 +4 | +6 | ~ -6 -4 -1 -6 -5 -3 -1 # +1 +3 | +5 | +6 g12 +1 +4 | +6 | +7 +8 h12 -8 -7 -6 -4 -1
// expect: -6 -5 -3 -1 ~ # alive0 +1 +3 | +5 | +6 g12 +1 +4 | +6 | +7 +8 h12 -8 -7 -6 -4 -1 -6 -5 -3 -1 +1 +3 | +5 |
// expect: +6 g12 +1 +4 | +6 | +7 +8 h12 -8 -7 -6 -4 -1 -6 -5 -3 -1 +1 +3 | +5 | +6 g12 +1 +4 | +6 | +7 +8 h12 -8 -7
// expect: -6 -4 -1 -6 -5 -3 -1 +1 +3 -3 -1 unhandled +1 +3 | +5 | +6 g12 +1 +4 -4 -1 -6 -5 -3 -1 unhandled +1 +3 | +5
// expect: -5 -3 -1 unhandled +1 +3 | +5 | +6 g12 +1 +4 | +6 -6 -4 -1 -6 -5 -3 -1 unhandled ~ # +1 | ~ -1 # +1 | +2
// expect: +100 +101 +102 f102 | ~ -102 -101 -100 -2 -1 # +1 | +2 +100 +101 +102 f102 | +1 +100 +101 +102 +103 +104
// expect: h104 | ~ -104 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 # +1 | +2 +100 +101 +102 f102 | +1 +100 +101 +102
// expect: +103 +104 h104 | -104 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 ~ # alive0 +1 | +2 +100 -100 -2 -1
// expect: unhandled +1 -1 unhandled +1 | +2 +100 +101 +102 -102 -101 -100 -2 -1 unhandled +1 | +2 +100 +101 +102 f102
// expect: | +1 +100 +101 +102 +103 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 unhandled +1 | +2 +100 +101 +102 f102
// expect: | +1 +100 +101 +102 +103 +104 -104 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 unhandled +1 | +2 +100 +101
// expect: +102 f102 | +1 +100 +101 +102 +103 +104 h104 | -104 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 +1 | +2
// expect: +100 +101 +102 f102 | +1 +100 +101 +102 +103 +104 h104 | -104 -103 -102 -101 -100 -1 -102 -101 -100 -2 -1 ~
// expect: # | ~ # | n50670 +1 +100 | ~ -100 -1 # | n50670 +1 +100 | +2 +101 t101 -101 -2 -100 -1 ~ # alive0 | n50670
// expect: +1 +100 | +2 +101 t101 -101 -2 -100 -1 | n50670 +1 +100 -100 -1 unhandled | n50670 +1 +100 | +2 +101 t101
// expect: -101 -2 -100 -1 | n50670 +1 +100 | +2 +101 t101 -101 -2 -100 -1 | n50670 +1 +100 | +2 +101 t101 -101 -2
// expect: -100 -1 unhandled | n50670 +1 +100 | +2 +101 t101 -101 -2 -100 -1 ~ # +1 | ~ -1 # +1 | c120 | ~ -1 # +1 |
// expect: c120 | +3 | ~ -3 -1 # +1 | c120 | +3 | d345 -3 -1 ~ # alive0 +1 | c120 | +3 | d345 -3 -1 +1 -1 unhandled +1
// expect: | c120 -1 unhandled +1 | c120 | +3 | d345 -3 -1 +1 | c120 | +3 -3 -1 unhandled +1 | c120 | +3 | d345 -3 -1
// expect: +1 | c120 | +3 | d345 -3 -1 ~ # next +41 +42 | ~ -42 -41 # next +41 +42 | d4404 | ~ -42 -41 # next +41 +42
// expect: | d4404 | +3 | ~ -3 -42 -41 # next +41 +42 | d4404 | +3 | +3 e313 | ~ -3 -3 -42 -41 # next +41 +42 | d4404
// expect: | +3 | +3 e313 | +4 +3 +9 h0 -9 -3 -4 -3 -3 -42 -41 ~ # alive0 next +41 +42 -42 -41 unhandled next +41 +42
// expect: | d4404 -42 -41 unhandled next +41 +42 | d4404 | +3 -3 -42 -41 unhandled next +41 +42 | d4404 | +3 | +3
// expect: e313 -3 -3 -42 -41 unhandled next +41 +42 | d4404 | +3 | +3 e313 | +4 +3 +9 h0 -9 -3 -4 -3 -3 -42 -41 next
// expect: +41 +42 | d4404 | +3 | +3 e313 | +4 +3 +9 h0 -9 -3 -4 -3 -3 -42 -41 next +41 +42 | d4404 | +3 | +3 e313 |
// expect: +4 +3 +9 h0 -9 -3 -4 -3 -3 -42 -41 ~ # | ~ # | +2 p7 -2 ~ # alive0 | +2 p8 -2 unhandled | +2 p10 -2 | +2
// expect: p11 -2 | +2 p12 -2 | +2 p13 -2 | +2 p14 -2 alive0
#include "case.hpp"
static int made = 0;
static int fail(int n, int v) { if (n == v) throw v; return n; }
static int limit = 0;
struct Auto { Trace t; Auto() : t(100 + made++) { if (made == limit) throw made; } explicit Auto(int n) : t(n) {} };
struct Cell { Trace a; int n; int pad; };
struct Grid { Cell cells[2][2]; Trace end; };
static int next() { say("next"); return 40 + made++; }
struct Defaults { int a = next(); Trace b{a + 1}; int c[2] = {a, 7}; const char* s = "s"; Trace d = Trace(b.id + 1); char name[4] = "abc"; int& r = limit; int last; };
struct Value { Value() = default; int n; Trace t{3}; private: int hidden; public: int sum() const { return n + hidden; } };
struct Holder { Trace a; Value v; Trace b = Trace(9); };
template <class F> struct Pack { F f; Trace t; };
VoidJob arrays(int v) {
  Cell g[2][2] = {{{Trace(1), 2}, {Trace(3), co_await Pause{fail(4, v)}}}, {{Trace(5)}, {Trace(co_await Pause{fail(6, v)}), 7, 8}}};
  say("g", g[0][1].n + g[1][1].pad + g[1][0].n);
  Grid h{{Trace(1), 2, 3, {Trace(4), co_await Pause{fail(5, v)}}, {Trace(6), 9, 9, {Trace(co_await Pause{fail(7, v)})}}}, Trace(8)};
  say("h", h.cells[0][1].n + h.cells[1][1].a.id);
}
VoidJob fillers(int v) {
  limit = v;
  Auto f[5] = {Auto(1), Auto(co_await Pause{fail(2, v)})};
  say("f", f[4].t.id);
  made = 0;
  Auto h[2][3] = {{Auto(co_await Pause{fail(1, v)})}};
  say("h", h[1][2].t.id);
  co_await Pause{0};
}
VoidJob designated(int v) {
  int n[6] = {[1] = 5, [3] = co_await Pause{fail(6, v)}, 7};
  int s = 0;
  for (int i : n) s = s * 10 + i;
  say("n", s);
  Auto t[4] = {[0] = Auto(1), [2] = Auto(co_await Pause{fail(2, v)})};
  say("t", t[3].t.id);
}
VoidJob parentheses(int v) {
  Cell c(Trace(1), co_await Pause{fail(2, v)});
  say("c", c.a.id * 100 + c.n * 10 + c.pad);
  Cell d = Cell(Trace(co_await Pause{fail(3, v)}), 4, co_await Pause{fail(5, v)});
  say("d", d.a.id * 100 + d.n * 10 + d.pad);
}
VoidJob defaults(int v) {
  Defaults d{.last = co_await Pause{fail(1, v)}};
  say("d", d.a + d.b.id * 100 + d.c[1] + d.d.id + d.last + *d.s + d.name[2]);
  d.r = 0;
  Defaults e{.a = co_await Pause{fail(2, v)}, .d = Trace(co_await Pause{fail(3, v)}), .last = 6};
  say("e", e.a + e.b.id * 100 + e.c[0] + e.d.id + e.last);
  Holder h{Trace(co_await Pause{fail(4, v)})};
  say("h", h.v.sum() + 0 * h.b.id);
}
template <class F> VoidJob closure(F f, int v) {
  Pack<F> p{f, Trace(co_await Pause{fail(2, v)})};
  say("p", p.f() + p.t.id);
}
VoidJob closures(int v) {
  return closure([v] { return 5 + v; }, v);
}
template <class F> void all(F f) {
  at_each_suspension([f] { made = 0; return f(0); });
  for (int v = 1; v < 8; ++v) made = 0, f(v).run();
}
int main() {
  all(arrays); all(fillers); all(designated); all(parentheses); all(defaults); all(closures);
  say("alive", Trace::alive);
}

// case:   aggregates built beside a suspension: references, arrays, unions, anonymous members, base classes, bit-fields
// flags: -Wno-missing-braces -Wno-pedantic -Wno-missing-field-initializers
// expect: ~ # +9 +1 | ~ -1 -9 # +9 +1 | +2 +3 | ~ -3 -2 -1 -9 # +9 +1 | +2 +3 | +4 n6 r1234 | ~ -4 -1 -3 -2 -9 # +9
// expect: +1 | +2 +3 | +4 n6 r1234 | r1234 +6 | ~ -6 -4 -1 -3 -2 -9 # +9 +1 | +2 +3 | +4 n6 r1234 | r1234 +6 | +5 q1
// expect: -5 -6 -4 -1 -3 -2 -9 ~ # alive0 +9 +1 | +2 +3 | +4 n6 r1234 | r1234 +6 | +5 q1 -5 -6 -4 -1 -3 -2 -9 +9 +1
// expect: -1 -9 unhandled +9 +1 | +2 +3 | +4 n6 r1234 | r1234 +6 | +5 q1 -5 -6 -4 -1 -3 -2 -9 +9 +1 | +2 +3 -3 -2 -1
// expect: -9 unhandled +9 +1 | +2 +3 | +4 n6 r1234 | r1234 +6 -6 -4 -1 -3 -2 -9 unhandled +9 +1 | +2 +3 | +4 n6 r1234
// expect: | r1234 -4 -1 -3 -2 -9 unhandled +9 +1 | +2 +3 | +4 n6 r1234 | r1234 +6 | +5 q1 -5 -6 -4 -1 -3 -2 -9 ~ # +1
// expect: +2 | ~ -2 -1 # +1 +2 | +3 +4 | ~ -4 -3 -2 -1 # +1 +2 | +3 +4 | | ~ -4 -3 -2 -1 # +1 +2 | +3 +4 | | +6 hello
// expect: s123450 | ~ -6 -4 -3 -2 -1 # +1 +2 | +3 +4 | | +6 hello s123450 | | ~ -6 -4 -3 -2 -1 # +1 +2 | +3 +4 | | +6
// expect: hello s123450 | | +1 +2 +4 +3 +7 ab q8 -7 -3 -4 -2 -1 -6 -4 -3 -2 -1 ~ # alive0 +1 +2 | +3 +4 | | +6 hello
// expect: s123450 | -6 -4 -3 -2 -1 unhandled +1 +2 | +3 +4 | | +6 hello s123450 | | +1 +2 +4 +3 +7 ab q8 -7 -3 -4 -2
// expect: -1 -6 -4 -3 -2 -1 +1 +2 -2 -1 unhandled +1 +2 | +3 +4 | | +6 hello s123450 | | +1 +2 -2 -1 -6 -4 -3 -2 -1
// expect: unhandled +1 +2 | +3 +4 -4 -3 -2 -1 unhandled +1 +2 | +3 +4 | -4 -3 -2 -1 unhandled +1 +2 | +3 +4 | | +6
// expect: hello s123450 | | +1 +2 +4 +3 +7 ab q8 -7 -3 -4 -2 -1 -6 -4 -3 -2 -1 ~ # | ~ # | +1 | ~ -1 # | +1 | +5 a15
// expect: +1 | ~ -1 -5 -1 # | +1 | +5 a15 +1 | | ~ -1 -5 -1 # | +1 | +5 a15 +1 | | +7 b15 -7 -1 -5 -1 ~ # alive0
// expect: unhandled | +1 | +5 a15 +1 -1 -5 -1 unhandled | +1 | +5 a15 +1 | | +7 b15 -7 -1 -5 -1 | +1 -1 unhandled |
// expect: +1 | +5 a15 +1 | | +7 b15 -7 -1 -5 -1 | +1 | +5 a15 +1 | | +7 b15 -7 -1 -5 -1 | +1 | +5 a15 +1 | -1 -5 -1
// expect: unhandled ~ # | ~ # | +1 +2 | ~ U -2 U -1 # | +1 +2 | +3 | ~ -3 U -2 U -1 # | +1 +2 | +3 | u8 -3 U -2 U -1
// expect: ~ # alive0 unhandled | +1 +2 | +3 | u8 -3 U -2 U -1 | +1 +2 U -2 U -1 unhandled | +1 +2 | +3 | u8 -3 U -2 U
// expect: -1 | +1 +2 | +3 -3 U -2 U -1 unhandled | +1 +2 | +3 | u8 -3 U -2 U -1 | +1 +2 | +3 | u8 -3 U -2 U -1 ~ # +1
// expect: | ~ -1 # +1 | +3 | ~ -3 -1 # +1 | +3 | +5 d54321 +1 m1 | ~ -1 -1 -5 -3 -1 # +1 | +3 | +5 d54321 +1 m1 | +3
// expect: +5 -1 e54327 -5 -3 -1 -5 -3 -1 ~ # alive0 +1 | +3 | +5 d54321 +1 m1 | +3 +5 -1 e54327 -5 -3 -1 -5 -3 -1 +1
// expect: -1 unhandled +1 | +3 | +5 d54321 +1 m1 -1 -1 -5 -3 -1 unhandled +1 | +3 | +5 d54321 +1 m1 | +3 +5 -1 e54327
// expect: -5 -3 -1 -5 -3 -1 +1 | +3 -3 -1 unhandled +1 | +3 | +5 d54321 +1 m1 | +3 +5 -1 e54327 -5 -3 -1 -5 -3 -1 +1
// expect: | +3 | +5 d54321 +1 m1 | +3 +5 -1 e54327 -5 -3 -1 -5 -3 -1 ~ # +1 | ~ -1 # +1 | | ~ -1 # +1 | | +4 b1197 |
// expect: ~ -4 -1 # +1 | | +4 b1197 | +1 | ~ -1 -4 -1 # +1 | | +4 b1197 | +1 | +2 c6 -2 -1 -4 -1 ~ # alive0 +1 | | +4
// expect: b1197 -4 -1 unhandled +1 -1 unhandled +1 | | +4 b1197 | +1 | +2 c6 -2 -1 -4 -1 +1 | -1 unhandled +1 | | +4
// expect: b1197 | +1 | +2 c6 -2 -1 -4 -1 +1 | | +4 b1197 | +1 -1 -4 -1 unhandled +1 | | +4 b1197 | +1 | +2 c6 -2 -1
// expect: -4 -1 alive0
#include "case.hpp"
struct Refs { Trace a; const Trace& r; Trace&& rr; int& n; Trace b; };
struct Row { Trace a; Trace list[3]; int numbers[2][3]; char name[6]; Trace b; };
struct Point { int x, y; };
union Either { Trace t; int n; ~Either() { say("U"), t.~Trace(); } };
struct Unions { Either e; Trace b; union { int i; Point p; } u; };
struct Anon { Trace a; union { int n; float f; }; struct { Point x; int y; }; Trace b; };
struct Base { Trace a; int n; };
struct Empty {};
struct Derived : Base, Empty { Trace b; int m[2]; [[no_unique_address]] Empty e; Trace c; };
struct Bits { Trace a; unsigned x : 3; int : 2; int y : 5; bool z : 1; Trace b; };
static int fail(int n, int v) { if (n == v) throw v; return n; }
VoidJob refs(int v) {
  int n = 5;
  Trace own(9);
  Refs r{Trace(1), Trace(co_await Pause{fail(2, v)}), Trace(3), n, Trace(co_await Pause{fail(4, v)})};
  r.n = 6;
  say("n", n);
  say("r", r.a.id * 1000 + r.r.id * 100 + r.rr.id * 10 + r.b.id);
  co_await Pause{0};
  say("r", r.a.id * 1000 + r.r.id * 100 + r.rr.id * 10 + r.b.id);
  const Refs q{Trace(fail(6, v)), own, static_cast<Trace&&>(own), n, Trace(co_await Pause{fail(5, v)})};
  say("q", &q.r == &own && &q.rr == &own);
}
VoidJob rows(int v) {
  Row r{Trace(1), {Trace(2), Trace(co_await Pause{fail(3, v)}), Trace(4)}, {{1, 2, 3}, {4, co_await Pause{fail(5, v)}}}, "hello", Trace(co_await Pause{fail(6, v)})};
  say(r.name);
  int s = 0;
  for (auto& x : r.numbers) for (int y : x) s = s * 10 + y;
  say("s", s);
  co_await Pause{0};
  const Row q{Trace(co_await Pause{fail(1, v)}), Trace(2), Trace(fail(4, v)), Trace(3), 1, 2, 3, 4, 5, 6, {'a', 'b'}, Trace(7)};
  say(q.name);
  say("q", q.numbers[1][1] + q.list[2].id);
}
VoidJob anons(int v) {
  Anon a{Trace(co_await Pause{fail(1, v)}), {2}, {{3, 4}, co_await Pause{fail(4, v)}}, Trace(5)};
  say("a", a.n + a.x.y + a.y + a.b.id);
  Anon b{.a = Trace(1), .f = static_cast<float>(co_await Pause{fail(2, v)}), .x = {6}, .b = Trace(co_await Pause{fail(7, v)})};
  say("b", static_cast<int>(b.f) + b.x.x + b.x.y + b.y + b.b.id);
}
VoidJob unions(int v) {
  Either e{.t = Trace(co_await Pause{fail(1, v)})};
  Unions u{{Trace(2)}, Trace(co_await Pause{fail(3, v)}), {.p = {4, co_await Pause{fail(5, v)}}}};
  say("u", e.t.id + u.e.t.id + u.u.p.y);
}
VoidJob bases(int v) {
  Derived d{{Trace(1), co_await Pause{fail(2, v)}}, {}, Trace(3), {4}, {}, Trace(co_await Pause{fail(5, v)})};
  say("d", d.a.id + d.n * 10 + d.b.id * 100 + d.m[0] * 1000 + d.m[1] + d.c.id * 10000);
  const Derived e{Base{Trace(1), 2}, Empty{}, Trace(co_await Pause{fail(3, v)}), {4, 6}, Empty{}, Trace(5)};
  say("e", e.a.id + e.n * 10 + e.b.id * 100 + e.m[0] * 1000 + e.m[1] + e.c.id * 10000);
}
VoidJob bits(int v) {
  Bits b{Trace(1), static_cast<unsigned>(co_await Pause{fail(2, v)}), -3, true, Trace(co_await Pause{fail(4, v)})};
  say("b", static_cast<int>(b.x) * 100 + b.y + b.z * 1000);
  const Bits c{.a = Trace(co_await Pause{fail(1, v)}), .y = co_await Pause{fail(6, v)}, .b = Trace(2)};
  say("c", static_cast<int>(c.x) * 100 + c.y + c.z * 1000);
}
template <class F> void all(F f) {
  at_each_suspension([f] { return f(0); });
  for (int v = 1; v < 8; ++v) f(v).run();
}
int main() {
  all(refs); all(rows); all(anons); all(unions); all(bases); all(bits);
  say("alive", Trace::alive);
}

// case:   a braced list is evaluated from left to right
// flags:  -Wno-missing-field-initializers -Wno-missing-designated-field-initializers
// expect: ~ # n1 | ~ # n1 | n3 t123 | ~ # n1 | n3 t123 | n5 | ~ # n1 | n3 t123 | n5 | p456 n7 n8 | ~ # n1 | n3
// expect: t123 | n5 | p456 n7 n8 | t789 n1 | ~ # n1 | n3 t123 | n5 | p456 n7 n8 | t789 n1 | p120 ~ # alive0
#include "case.hpp"
struct Triple {
  int a, b, c;
  Triple(int x, int y, int z) : a(x), b(y), c(z) {}
};
struct Plain { int a, b, c; };
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  Triple t{note(1), co_await Pause{2}, note(3)};
  say("t", t.a * 100 + t.b * 10 + t.c);
  Plain p{co_await Pause{4}, note(5), co_await Pause{6}};
  say("p", p.a * 100 + p.b * 10 + p.c);
  t = {note(7), note(8), co_await Pause{9}};
  say("t", t.a * 100 + t.b * 10 + t.c);
  p = {note(1), co_await Pause{2}};
  say("p", p.a * 100 + p.b * 10 + p.c);
}
int main() { at_each_suspension(body); }

// case:   designated initializers
// flags:  -Wno-missing-field-initializers -Wno-missing-designated-field-initializers
// expect: ~ # n1 | ~ # n1 | n3 k123 | ~ # n1 | n3 k123 | | ~ # n1 | n3 k123 | | l405 ~ # alive0
#include "case.hpp"
struct Config { int a, b, c; };
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  Config k{.a = note(1), .b = co_await Pause{2}, .c = note(3)};
  say("k", k.a * 100 + k.b * 10 + k.c);
  const Config l{.a = co_await Pause{4}, .c = co_await Pause{5}};
  say("l", l.a * 100 + l.b * 10 + l.c);
}
int main() { at_each_suspension(body); }

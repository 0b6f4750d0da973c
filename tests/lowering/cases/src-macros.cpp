// case:   macros around expressions, statements, declarations and types
// expect: ~ # | ~ # | +6 | ~ -6 # | +6 | t13 | ~ -6 # | +6 | t13 | | ~ -6 # | +6 | t13 | | i0 | ~ -6 # | +6 |
// expect: t13 | | i0 | i1 failed: local == 4 -6 ~ # alive0
#include "case.hpp"
#define TWICE(x) ((x) + (x))
#define AWAIT(x) co_await Pause{x}
#define DECLARE(type, name, init) type name = init
#define CHECK(cond) do { if (!(cond)) { say("failed: " #cond); co_return; } } while (0)
#define LOOP(i, n) for (int i = 0; i < (n); ++i)
#define JOIN(a, b) a##b
#define EMPTY
VoidJob body() {
  DECLARE(int, JOIN(lo, cal), AWAIT(3));
  Trace t(TWICE(local));
  say("t", TWICE(local) + AWAIT(1) + t.id);
  CHECK(AWAIT(1) == 1);
  LOOP(i, 2) { EMPTY AWAIT(0); say("i", i); }
  CHECK(local == 4);
  say("never");
}
int main() { at_each_suspension(body); }

// case:   a declaration as the condition of a for loop is rebuilt for each test
// expect: ~ # L3 | ~ ~L3 # L3 | i0 | ~ ~L3 # L3 | i0 | ~L3 L2 | ~ ~L2 # L3 | i0 | ~L3 L2 | ~L2 L1 | ~ ~L1 # L3
// expect: | i0 | ~L3 L2 | ~L2 L1 | i2 | ~ ~L1 # L3 | i0 | ~L3 L2 | ~L2 L1 | i2 | ~L1 L0 ~L0 end ~ # alive0
#include "case.hpp"
struct Left {
  int v;
  explicit Left(int n) : v(n) { say("L", v); }
  ~Left() { say("~L", v); }
  explicit operator bool() const { return v > 0; }
};
VoidJob body() {
  int n = 3;
  for (int i = 0; Left l{n - i}; ++i, co_await Pause{0}) {
    if (l.v == 2) continue;
    co_await Pause{0};
    say("i", i);
  }
  say("end");
}
int main() { at_each_suspension(body); }

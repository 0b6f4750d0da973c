// case:   operands of << and >> from left to right, built in and overloaded
// expect: ~ # n1 o1 | ~ # n1 o1 | o2 +3 t3 | ~ -3 # n1 o1 | o2 +3 t3 | o4 n5 o5 -3 n1 | ~ # n1 o1 | o2 +3 t3 |
// expect: o4 n5 o5 -3 n1 | n1 =16 | ~ # n1 o1 | o2 +3 t3 | o4 n5 o5 -3 n1 | n1 =16 | n2 | ~ # n1 o1 | o2 +3 t3
// expect: | o4 n5 o5 -3 n1 | n1 =16 | n2 | =8 ~ # alive0
#include "case.hpp"
struct Out {
  Out& operator<<(int v) { say("o", v); return *this; }
  Out& operator<<(const Trace& t) { say("t", t.id); return *this; }
};
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  Out out;
  out << note(1) << co_await Pause{2} << Trace(3) << co_await Pause{4} << note(5);
  say("=", note(1) << co_await Pause{3} << note(1));
  say("=", co_await Pause{64} >> note(2) >> co_await Pause{1});
}
int main() { at_each_suspension(body); }

// case:   an initializer_list of objects as an argument, with a suspension inside
// expect: ~ # +4 | ~ -4 # +4 | +5 ids9 -5 -4 ~ # alive0
#include <initializer_list>
#include "case.hpp"
static int ids(std::initializer_list<Trace> l) { int s = 0; for (const Trace& x : l) s += x.id; return s; }
VoidJob body() {
  say("ids", ids({Trace(4), Trace(co_await Pause{5})}));
}
int main() { at_each_suspension(body); }

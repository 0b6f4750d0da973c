// case:   a coroutine lambda inside a coroutine
// expect: ~ # | ~ # | | | ~ # | | | inner3 outer ~ # alive0
#include "case.hpp"
VoidJob body(int n) {
  auto inner = [&n](int v) -> VoidJob { co_await Pause{0}; say("inner", v + n); };
  co_await Pause{0};
  VoidJob j = inner(1);
  j.step();
  co_await Pause{0};
  j.step();
  say("outer");
}
int main() { at_each_suspension([] { return body(2); }); }

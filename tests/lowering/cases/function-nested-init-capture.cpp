// case:   a coroutine lambda with an init-capture inside a coroutine template
// expect: ~ # | c7 | ~ # | c7 | end1 ~ # alive0
#include "case.hpp"
template <class T> VoidJob nested(T x) {
  auto by_copy = [z = x + 1](int n) -> VoidJob {
    co_await Pause{n};
    say("c", z + n);
  };
  VoidJob a = by_copy(5);
  a.run();
  co_await Pause{0};
  say("end", x);
}
int main() {
  at_each_suspension([] { return nested(1); });
}

// case:   bodies of coroutines inside a coroutine that come from macros
// expect: ~ # in1 | ~ # in1 | in10 | ~ # in1 | in10 | in3 | ~ # in1 | in10 | in3 | ~ # alive0
#include "case.hpp"
#define BODY(x) { say("in", n); co_return n + co_await Pause{x}; }
Sub body(int n) {
  auto f = [=]() -> Sub BODY(2)
  ;
  auto g = [&n](auto k) -> Sub BODY(k);
  struct Local { int n; Sub work() BODY(3) };
  const int a = co_await f();
  n = 10;
  co_return a + co_await g(4) * 100 + co_await Local{a}.work();
}
int main() { at_each_suspension([] { return body(1); }); }

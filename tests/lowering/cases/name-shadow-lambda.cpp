// case:   names in lambdas and local classes are their own
// expect: | | sum29
#include "case.hpp"
VoidJob body(int n) {
  auto f = [](int n) { int m = n; { int n = m * 2; m += n; } return m; };
  struct Local { int n = 4; int get() const { return n; } };
  Local l;
  int m = 1;
  co_await Pause{0};
  auto g = [&, n = n + 10] { int m = n; return m; };
  co_await Pause{0};
  say("sum", f(n) + l.get() + l.n + m + n + g());
}
int main() { VoidJob j = body(2); j.run(); }

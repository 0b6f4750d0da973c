// case:   static variables that lambdas and local classes in the frame name
// expect: ~ # | ~ # | seven | ~ # | | h101 | ~ # | | h102 | h104 l110 ~ # alive0
#include "case.hpp"
struct Constant { int a; constexpr Constant(int x) : a(x) {} };
static int seven() { say("seven"); return 7; }
Sub body(int n) {
  static int count = 0, other{2};
  static constexpr Constant c(3);
  static long zero[2];
  auto f = [] { return ++count + c.a; };
  co_await Pause{n};
  static int dynamic = seven();
  int& known = dynamic;
  auto g = [&known, n] { return ++known + n; };
  {
    static int count = 100;
    struct Local { int x; int get() { return ++count + x + ++other + static_cast<int>(++zero[1]); } };
    Local l{1};
    auto h = [](auto x) -> Sub { count += co_await Pause{x}; co_return count; };
    say("h", co_await h(n)), say("h", co_await h(char(2)));
    say("l", l.get());
  }
  dynamic += count;
  co_return f() + g();
}
int main() {
  at_each_suspension([] { return body(1); });
}

// case:   prvalues of non-movable types are built in place
// expect: ~ # | ~ # | F1 | ~ ~F1 # | F1 | F2 | ~ ~F2 ~F1 # | F1 | F2 | F3 F5 | ~ ~F5 ~F3 ~F2 ~F1 # | F1 | F2 |
// expect: F3 F5 | r11 ~F5 s6 ~F3 ~F2 ~F1 ~ # alive0
#include "case.hpp"
struct Fixed {
  int v;
  explicit Fixed(int x) : v(x) { say("F", v); }
  Fixed(Fixed&&) = delete;
  ~Fixed() { say("~F", v); }
};
static Fixed make(int v) { return Fixed(v); }
static int read(const Fixed& f, int n) { return f.v + n; }
VoidJob body() {
  Fixed a(co_await Pause{1});
  Fixed b = make(co_await Pause{2});
  Fixed c = co_await Pause{1} ? make(3) : Fixed(4);
  say("r", read(make(5), co_await Pause{6}));
  say("s", a.v + b.v + c.v);
}
int main() { at_each_suspension(body); }

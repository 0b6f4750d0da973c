// case:   members of an anonymous union, local functions, external variables and types
// expect: ~ # | ~ # | n3 | ~ # | n3 | | ~ # | n3 | | c8 | ~ # | n3 | | c8 | p3 | ~ # | n3 | | c8 | p3 | q3 | ~ # | n3
// expect: | | c8 | p3 | q3 | c1 ~ # alive0
#include "case.hpp"
int counter(int);
VoidJob body() {
  union {
    int n;
    float f;
  };
  n = co_await Pause{3};
  say("n", n);
  n += co_await Pause{1};
  int counter(int);
  extern int outside;
  say("c", counter(co_await Pause{2}) + outside);
  struct {
    int x, y;
  } p{1, co_await Pause{2}};
  say("p", p.x + p.y);
  typedef int number;
  using other = number[2];
  other q = {co_await Pause{1}, 2};
  say("q", q[0] + q[1]);
  enum color { red = 3, green };
  color c = green;
  co_await Pause{red};
  say("c", c == color::green);
  static_assert(green == 4);
}
int outside = 5;
int counter(int n) { return n + 1; }
int main() { at_each_suspension(body); }

// case:   pointers to members of awaited objects
// expect: ~ # | ~ # | | ~ # | | a2 | ~ # | | a2 | b1 | ~ # | | a2 | b1 | | ~ # | | a2 | b1 | | c6 | ~ # | | a2
// expect: | b1 | | c6 | d7 ~ # alive0
#include "case.hpp"
struct Point {
  int x = 1, y = 2;
  int sum(int n) { return x + y + n; }
};
VoidJob body() {
  Point p;
  say("a", (co_await PauseRef<Point>{p}).*(co_await PauseFor<int Point::*>{&Point::y}));
  say("b", (co_await PauseFor<Point*>{&p})->*(&Point::x));
  int (Point::*f)(int) = &Point::sum;
  say("c", ((co_await PauseRef<Point>{p}).*f)(co_await Pause{3}));
  say("d", (p.*(co_await PauseFor<int (Point::*)(int)>{f}))(4));
}
int main() { at_each_suspension(body); }

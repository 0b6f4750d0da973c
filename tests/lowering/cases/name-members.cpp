// case:   parameters and locals named like members, of *this and of accessed objects
// expect: | sum34 | t40 | x6 | f31
#include "case.hpp"
struct Thing {
  int x = 1, y = 2;
  int get() const { return x; }
  VoidJob body(int x) {
    int y = 20;
    co_await Pause{0};
    say("sum", x + y + this->x + this->y + get());
    Thing t{.x = x, .y = y};
    co_await Pause{0};
    say("t", t.x + t.y + (&t)->x);
    { int x = 5; co_await Pause{0}; say("x", x + Thing::x); }
    auto f = [x = x + 1](int y) { return x + y; };
    co_await Pause{0};
    say("f", f(y));
  }
};
int main() { Thing t; VoidJob j = t.body(10); j.run(); }

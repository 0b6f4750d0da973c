// case:   a closure with a copy of *this
// expect: | f12
#include "case.hpp"
struct Owner {
  int base = 1;
  VoidJob body() {
    auto f = [*this] { return base; };
    co_await Pause{0};
    base = 2;
    say("f", f() * 10 + base);
  }
};
int main() { Owner o; VoidJob j = o.body(); j.run(); }

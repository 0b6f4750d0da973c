// case:   by value, reference, rvalue reference, pointer, array, const, unnamed, default and unused parameters
// expect: +1 +2 +3 +8 c8 -8 m3 | sum125 -3 -8 x8 -3 -2 -101
#include "case.hpp"
#include <memory>
VoidJob body(Trace& a, const Trace& b, Trace&& c, int* p, int list[], const int n, const Trace, std::unique_ptr<int> u, int d = 4, [[maybe_unused]] int unused = 5, void (*)(int) = nullptr) {
  Trace moved = std::move(c);
  co_await Pause{0};
  *p += n;
  a.id += 100;
  say("sum", a.id + b.id + moved.id + list[1] + *u + d);
}
int main() {
  Trace a(1), b(2), c(3);
  int x = 1, list[2] = {5, 6};
  { VoidJob j = body(a, b, std::move(c), &x, list, 7, Trace(8), std::make_unique<int>(9)); j.run(); }
  say("x", x);
}

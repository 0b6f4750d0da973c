// case:   a variable whose initializer mentions it, built after a suspension
// expect: ~ # | ~ # | | ~ # | | a4 | ~ # | | a4 | | ~ # | | a4 | | b11 | ~ # | | a4 | | b11 | b12 | ~ # | | a4 | |
// expect: b11 | b12 | c8 ~ # alive0
#include "case.hpp"
struct Node {
  const Node* self;
  int n;
  explicit Node(const Node* s, int v) : self(s), n(v) {}
  bool home() const { return self == this; }
};
struct Call {
  int (*f)(const Call&, int);
  int operator()(int n) const { return f(*this, n); }
};
VoidJob body() {
  co_await Pause{0};
  Node a(&a, 3);
  co_await Pause{0};
  say("a", a.home() + a.n);
  for (int i = co_await Pause{0}; i < 2; ++i) {
    Node b(&b, i);
    int size = static_cast<int>(sizeof(size));
    co_await Pause{i};
    say("b", b.home() * 10 + b.n + (size == sizeof(int)));
  }
  auto ring = [&ring = a](int n) { return ring.n + n; };
  Call c{[](const Call& me, int n) { return n ? me(n - 1) + 1 : 0; }};
  co_await Pause{0};
  say("c", c(4) + ring(1));
}
int main() { at_each_suspension(body); }

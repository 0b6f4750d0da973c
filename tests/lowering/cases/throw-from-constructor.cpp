// case:   constructors that throw: the object is not destroyed, the ones before it are
// expect: B1 | ~B1 unhandled # B1 | B3 | ~B3 ~B1 unhandled # | B1 | ~B1 unhandled # B5 | ~B5 unhandled #
#include "case.hpp"
struct Bomb {
  int n;
  explicit Bomb(int i) : n(i) { if (n == 2) throw n; say("B", n); }
  ~Bomb() { say("~B", n); }
};
struct Pair { Bomb a, b; };
VoidJob one() { Bomb a(1); co_await Pause{0}; Bomb b(2); co_await Pause{0}; }
VoidJob list() { Bomb a[3] = {Bomb(1), Bomb(co_await Pause{3}), Bomb(co_await Pause{2})}; co_await Pause{0}; }
VoidJob pair() { Pair p{Bomb(co_await Pause{1}), Bomb(co_await Pause{2})}; co_await Pause{0}; }
VoidJob temporaries() { say("n", Bomb(5).n + co_await Pause{1} + Bomb(2).n); }
int main() {
  for (auto f : {one, list, pair, temporaries}) { VoidJob j = f(); j.run(); say("#"); }
}

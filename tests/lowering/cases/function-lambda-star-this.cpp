// case:   *this captured by lambdas that are coroutines
// expect: +1 c1 ~ # | ~ # | o8 o8 ~ # alive2 ~ # c1 | | ~ -1 # c1 | | i14 | n111 -1 ~ # alive2 n111 -1 -1
#include "case.hpp"
struct Owner {
  Trace t;
  int n;
  auto outside() {
    return [*this](int k) mutable -> VoidJob { n += co_await Pause{k}; say("o", t.id + n); bump(); say("o", this->n); };
  }
  void bump() { ++n; }
  int size() const { return n; }
  VoidJob body() {
    auto inner = [*this, more = n](int k) -> VoidJob { say("i", t.id + n + size() + co_await Pause{k} + more + this->n); };
    auto plain = [this]() -> VoidJob { co_await Pause{0}; bump(); n += 10; };
    n = 100;
    VoidJob j = inner(1), k = plain();
    j.step();
    co_await Pause{2};
    j.run(), k.run();
    say("n", n);
  }
};
int main() {
  Owner o{Trace(1), 2};
  auto f = o.outside();
  at_each_suspension([&] { return f(5); });
  at_each_suspension([&] { o.n = 3; return o.body(); });
  say("n", o.n);
}

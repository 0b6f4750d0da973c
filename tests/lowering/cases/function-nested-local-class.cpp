// case:   members of local classes that are coroutines, inside a coroutine
// expect: ~ # +10 +11 +3 | ~ -3 -11 -10 # +10 +11 +3 | | ~ -3 -14 -10 # +10 +11 +3 | | -3 a47 +3 | ~ -3 -17 -10 # +10
// expect: +11 +3 | | -3 a47 +3 | -3 | ~ -20 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | ~ -20 -10 # +10 +11 +3 | |
// expect: -3 a47 +3 | -3 | b50021 | c70 +3 | ~ -3 -20 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | ~
// expect: -23 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | d56 | ~ -23 -10 # +10 +11 +3 | | -3 a47 +3
// expect: | -3 | b50021 | c70 +3 | -3 | d56 | | ~ -23 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 |
// expect: d56 | | e13 m23 | ~ -23 -23 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | d56 | | e13 m23 |
// expect: -23 -23 -10 ~ # alive0 ~ # | ~ # | ~ # alive0 ~ # | ~ # | | ~ # | | | ~ # | | | ~ # alive0
#include "case.hpp"
static Sub twice(Sub (*f)(int), int n) { co_return co_await f(n) + co_await f(n + 1); }
Sub local(int n) {
  Trace own(n);
  static constexpr int step = 3;
  enum Kind { small = 1, large = 50 };
  struct Counter {
    Trace count;
    int by = step;
    Sub up(int times) {
      Trace t(by);
      for (int i = 0; i < times; ++i) count.id += co_await Pause{this->by};
      co_return count.id + size();
    }
    Sub look(Kind kind = large) const { co_return count.id + co_await Pause{kind}; }
    static Sub both(Counter& c) {
      const int a = co_await c.up(1), b = co_await static_cast<const Counter&>(c).look(small);
      co_return a * 1000 + b;
    }
    Sub operator()(int k) && { Trace moved(static_cast<Trace&&>(count)); co_return co_await Pause{k} + moved.id; }
    int size() const { return step * 10; }
    struct Inner {
      Counter& c;
      Sub go() { co_return co_await c.up(1) + co_await Pause{step}; }
    };
  };
  Counter c{Trace(n + 1)};
  say("a", co_await c.up(2));
  say("b", co_await Counter::both(c));
  say("c", co_await c.look());
  say("d", co_await Counter::Inner{c}.go());
  say("e", co_await twice([](int k) -> Sub { struct Plain { int v; Sub get() { co_return v + co_await Pause{1}; } }; Plain p{k}; co_return co_await p.get(); }, 5));
  co_return co_await static_cast<Counter&&>(c)(1) + own.id;
}
// No suspension beside it: the class stays where it is in the body.
Sub piece(int n) {
  if (n > 0) {
    struct Local { int v; Sub get() const { co_return v + co_await Pause{v}; } };
    const Local l{n};
    Sub s = l.get();
    n = static_cast<int>(sizeof l) + (s.await_ready() ? 1 : 0);
  }
  co_return n + co_await Pause{1};
}
struct Base {
  int base = 1;
  virtual Sub value(int n) { co_return n + co_await Pause{base}; }
};
Sub derived(int n) {
  struct Derived : Base {
    int more;
    explicit Derived(int m) : more(m) {}
    Sub value(int k) override {
      auto f = [this, k](auto x) -> Sub { more += co_await Pause{k}; co_return more + base + static_cast<int>(x); };
      auto g = [=, *this](auto x) mutable -> Sub { more += co_await Pause{k}; co_return more + static_cast<int>(x); };
      const int a = co_await f(1), b = co_await g('\2'), c = co_await Base::value(more);
      co_return a * 10000 + b * 100 + c;
    }
  };
  Derived d(n);
  Base& b = d;
  co_return co_await b.value(7);
}
int main() {
  at_each_suspension([] { return local(10); });
  at_each_suspension([] { return piece(1); });
  at_each_suspension([] { return derived(5); });
}

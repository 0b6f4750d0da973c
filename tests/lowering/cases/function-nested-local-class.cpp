// case:   members of local classes that are coroutines, inside a coroutine
// expect: ~ # +10 +11 +3 | ~ -3 -11 -10 # +10 +11 +3 | | ~ -3 -14 -10 # +10 +11 +3 | | -3 a47 +3 | ~ -3 -17 -10 # +10
// expect: +11 +3 | | -3 a47 +3 | -3 | ~ -20 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | ~ -20 -10 # +10 +11 +3 | |
// expect: -3 a47 +3 | -3 | b50021 | c70 +3 | ~ -3 -20 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | ~
// expect: -23 -10 # +10 +11 +3 | | -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | d56 m23 | ~ -23 -23 -10 # +10 +11 +3 | |
// expect: -3 a47 +3 | -3 | b50021 | c70 +3 | -3 | d56 m23 | -23 -23 -10 ~ # alive0 ~ # | ~ # | ~ # alive0
#include "case.hpp"
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
  co_return co_await static_cast<Counter&&>(c)(1) + own.id;
}
// No suspension beside it: the class stays where it is in the body.
Sub piece(int n) {
  if (n > 0) {
    struct Local { static Sub get(int v) { co_return v + co_await Pause{v}; } };
    Sub s = Local::get(n);
    n = static_cast<int>(sizeof(Local)) + (s.await_ready() ? 1 : 0);
  }
  co_return n + co_await Pause{1};
}
int main() {
  at_each_suspension([] { return local(10); });
  at_each_suspension([] { return piece(1); });
}

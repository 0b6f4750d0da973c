// case:   generic lambdas and members of local classes that are coroutines, inside a coroutine
// expect: ~ # +1 +2 | +50 | ~ -50 -2 -1 # +1 +2 | +50 | g1003 e1 -2 +5 | g1006 | e2 -5 | p51 | p2 own52 | | ~ -50 -52
// expect: # +1 +2 | +50 | g1003 e1 -2 +5 | g1006 | e2 -5 | p51 | p2 own52 | | | | ~ -50 -53 # +1 +2 | +50 | g1003 e1
// expect: -2 +5 | g1006 | e2 -5 | p51 | p2 own52 | | | | own53 -50 -53 ~ # alive0 ~ # +10 +3 | | ~ -3 -10 # +10 +3 |
// expect: | count13 | count16 -3 | +3 | count19 -3 | +3 | count22 -3 end22 -22 ~ # alive0 ~ # | ~ # | | f3 | f99 | l2
// expect: | k1 ~ # alive0 | | f5 | f101 | l3 | k2 | | f195 | f291 | l98 | k97 alive0
#include "case.hpp"
static int id(const Trace& t) { return t.id; }
static int id(int i) { return i; }
struct Owner {
  int base;
  VoidJob body(int n) {
    Trace own(n);
    auto generic = [&own, this, k = n + 1](auto x, int more = 1) -> VoidJob {
      Trace t(id(x) + more);
      co_await Pause{k};
      say("g", t.id + own.id + base);
      if constexpr (sizeof(x) > 4) co_await Pause{0};
      say("e", id(x));
    };
    auto packs = [=, &own](auto&... xs) -> VoidJob {
      (say("p", id(xs) + co_await Pause{n}), ...);
      own.id += (id(xs) + ... + 0);
    };
    auto never = [](auto x) -> VoidJob { co_await Pause{x}; };
    (void)never;
    VoidJob a = generic(1), b = generic(2L, 3);
    a.step();
    Trace other(50);
    VoidJob c = packs(other, n), d = packs();
    co_await Pause{1};
    a.run(), b.run(), c.run(), d.run();
    say("own", own.id);
    for (int i = 0; i < 2; ++i) {
      VoidJob e = [&](auto j) -> VoidJob { co_await Pause{j}; own.id += i; }(i);
      e.run();
      co_await Pause{2};
    }
    say("own", own.id);
  }
};
VoidJob local(int n) {
  constexpr int step = 3;
  struct Counter {
    Trace count;
    int by;
    explicit Counter(int c) : count(c), by(step) {}
    VoidJob up(int times) {
      Trace t(by);
      for (int i = 0; i < times; ++i) {
        count.id += co_await Pause{by};
        say("count", count.id);
      }
    }
    static VoidJob twice(Counter& c) {
      co_await Pause{0};
      VoidJob j = c.up(1);
      j.run();
      co_await Pause{0};
      c.up(1).run();
    }
  };
  Counter c(n);
  VoidJob j = c.up(2);
  j.step();
  co_await Pause{0};
  j.run();
  VoidJob k = Counter::twice(c);
  k.run();
  say("end", c.count.id);
}
template <class T> VoidJob in_template(T x) {
  auto f = [&](auto y) -> VoidJob { say("f", static_cast<int>(x + y) + co_await Pause{static_cast<int>(x)}); };
  struct Local { T t; VoidJob go() { say("l", static_cast<int>(t) + co_await Pause{1}); } };
  auto k = [x](int n) -> VoidJob { co_await Pause{n}; say("k", static_cast<int>(x)); };
  Local l{x};
  VoidJob a = f(1), b = f('a'), c = l.go(), d = k(2);
  co_await Pause{0};
  a.run(), b.run(), c.run(), d.run();
}
int main() {
  Owner o{1000};
  at_each_suspension([&] { return o.body(1); });
  at_each_suspension([] { return local(10); });
  at_each_suspension([] { return in_template(1); });
  in_template(2L).run(), in_template('a').run();
  say("alive", Trace::alive);
}

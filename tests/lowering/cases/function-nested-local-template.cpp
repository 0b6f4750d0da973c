// case:   coroutines inside coroutine templates: members of local classes, generic lambdas, also in members of such a class
// expect: ~ # +1 | ~ -1 # +1 | a10 | ~ -3 # +1 | a10 | b4 | ~ -3 # +1 | a10 | b4 | | ~ -3 # +1 | a10 | b4 | | c12 | ~
// expect: -3 # +1 | a10 | b4 | | c12 | d9 | ~ -3 # +1 | a10 | b4 | | c12 | d9 | e6 -3 ~ # alive0 ~ # +2 | ~ -2 # +2 |
// expect: a16 | ~ -4 # +2 | a16 | b8 | ~ -4 # +2 | a16 | b8 | | ~ -4 # +2 | a16 | b8 | | c15 | ~ -4 # +2 | a16 | b8 |
// expect: | c15 | d15 | ~ -4 # +2 | a16 | b8 | | c15 | d15 | e7 | ~ -4 # +2 | a16 | b8 | | c15 | d15 | e7 | -4 ~ #
// expect: alive0 ~ # +3 | ~ -3 # +3 | a11 | ~ -5 # +3 | a11 | b1 | ~ -5 # +3 | a11 | b1 | | ~ -5 # +3 | a11 | b1 | |
// expect: c18 | ~ -5 # +3 | a11 | b1 | | c18 | d10 | ~ -5 # +3 | a11 | b1 | | c18 | d10 | e8 -5 ~ # alive0 ~ # | ~ #
// expect: | | ~ # | | | ~ # | | | | ~ # | | | | ~ # alive0 ~ # | ~ # | | ~ # | | | ~ # | | | | ~ # | | | | ~ # alive0
#include "case.hpp"
template <class T> Sub local(T n) {
  struct Pair {
    T first;
    Trace t;
    Sub sum(T second) { t.id += co_await Pause{static_cast<int>(second)}; co_return static_cast<int>(first + second + sizeof(T)) + t.id; }
    static Sub none() { co_return static_cast<int>(sizeof(T)) + co_await Pause{0}; }
    Sub apply(int k) {
      auto f = [this, k](auto x) -> Sub { co_return static_cast<int>(first) + k + co_await Pause{static_cast<int>(x)}; };
      co_return co_await f(k) + co_await f(first);
    }
  };
  Pair p{n, Trace(static_cast<int>(n))};
  say("a", co_await p.sum(2)), say("b", co_await Pair::none()), say("c", co_await p.apply(3));
  auto generic = [&p](auto x) -> Sub {
    struct In { decltype(x) v; Sub get() { co_return static_cast<int>(v + sizeof v) + co_await Pause{1}; } };
    In in{x};
    co_return co_await in.get() + p.t.id;
  };
  say("d", co_await generic(n)), say("e", co_await generic(true));
  if constexpr (sizeof(T) > 4) co_return co_await [](auto x) -> Sub { co_return static_cast<int>(x) + co_await Pause{2}; }(n);
  else co_return 0;
}
template <class... Ts> Sub packs(Ts... xs) {
  struct Sum {
    int base;
    Sub of(Ts... ys) { co_return (base + ... + ys) + co_await Pause{base}; }
  };
  Sum s{static_cast<int>(sizeof...(xs))};
  auto f = [&](auto k) -> Sub { co_return co_await s.of(static_cast<Ts>(xs + k)...) + co_await Pause{static_cast<int>(k)}; };
  co_return co_await f(1) + co_await f('\2');
}
int main() {
  at_each_suspension([] { return local(1); });
  at_each_suspension([] { return local(2L); });
  at_each_suspension([] { return local('\3'); });
  at_each_suspension([] { return packs(1, 2L); });
  at_each_suspension([] { return packs(); });
}

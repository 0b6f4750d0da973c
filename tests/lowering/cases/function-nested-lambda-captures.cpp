// case:   generic lambdas that are coroutines, inside a coroutine, and what they capture
// expect: ~ # +1 c1 | ~ -1 -1 # +1 c1 | -1 +2 m2 | ~ -2 -2 -11 # +1 c1 | -1 +2 m2 | -2 -2 count3 own11 -11 ~ # alive0
// expect: ~ # +10 c10 c10 | ~ -10 -10 -10 # +10 c10 c10 | a47 | ~ -10 -30 -10 # +10 c10 c10 | a47 | b71 | ~ -10 -50
// expect: -10 # +10 c10 c10 | a47 | b71 | c93 c70 | ~ -70 -10 -70 -10 # +10 c10 c10 | a47 | b71 | c93 c70 | d114 | ~
// expect: -90 -10 -70 -10 # +10 c10 c10 | a47 | b71 | c93 c70 | d114 | e114 | ~ -90 -10 -90 -10 # +10 c10 c10 | a47 |
// expect: b71 | c93 c70 | d114 | e114 | | ~ -90 -10 -90 -10 # +10 c10 c10 | a47 | b71 | c93 c70 | d114 | e114 | | -90
// expect: -10 -90 -10 ~ # alive0 ~ # +20 n0 s1 | ~ -20 # +20 n0 s1 | | ~ -20 # +20 n0 s1 | | n2 s63 +7 | ~ -7 -20 #
// expect: +20 n0 s1 | | n2 s63 +7 | n1 s29 -7 | ~ -20 # +20 n0 s1 | | n2 s63 +7 | n1 s29 -7 | t1 | ~ -20 # +20 n0 s1
// expect: | | n2 s63 +7 | n1 s29 -7 | t1 | t1204 -20 ~ # alive0 +30 ~ # c30 | ~ -30 # c30 | s203 | ~ -30 # c30 | s205
// expect: | s209 | ~ -30 # c30 | s211 | s215 | c2245 | ~ -30 # c30 | s217 | s221 | c2251 | c4259 | ~ -30 # c30 | s223
// expect: | s227 | c2257 | c4265 | i1231 -30 ~ # alive1 -30
#include "case.hpp"
static int id(const Trace& t) { return t.id; }
static int id(int n) { return n; }
Sub references(int n) {
  Trace own(n);
  int count = 0;
  auto any = [&](auto&& x) -> Sub {
    Trace kept(static_cast<decltype(x)&&>(x));
    count += co_await Pause{id(x)};
    if constexpr (std::is_lvalue_reference_v<decltype(x)>) x.id += 10;
    co_return id(kept) + id(own);
  };
  const int a = co_await any(own);
  const int b = co_await any(Trace(n + 1));
  say("count", count), say("own", own.id);
  co_return a * 100 + b;
}
Sub values(int n) {
  Trace own(n);
  const int twice = 2 * n;
  auto any = [own, twice, k = n + 5](auto x, decltype(x) y = 1) mutable -> Sub {
    k += co_await Pause{static_cast<int>(x)};
    own.id += twice;
    co_return own.id + k + static_cast<int>(y);
  };
  auto by_default = [=](auto x) -> Sub { co_return id(own) + co_await Pause{twice} + static_cast<int>(x); };
  say("a", co_await any(1)), say("b", co_await any(2L, 3)), say("c", co_await any('\4'));
  auto copy = any;
  say("d", co_await copy(1)), say("e", co_await any(1));
  co_return co_await by_default(1) + co_await by_default(2L);
}
Sub packs(int n) {
  Trace own(n);
  auto all = [&own](auto first, auto&&... rest) -> Sub {
    int sum = id(first);
    ((sum += id(rest) + co_await Pause{id(own)}), ...);
    say("n", static_cast<int>(sizeof...(rest)));
    co_return sum;
  };
  auto types = []<class... Ts>(Ts... xs) -> Sub { co_return (static_cast<int>(sizeof(Ts)) + ... + 0) * 100 + (xs + ... + co_await Pause{1}); };
  say("s", co_await all(1)), say("s", co_await all(1, 2, own)), say("s", co_await all(2, Trace(7)));
  say("t", co_await types()), say("t", co_await types(1, 2LL));
  co_return 0;
}
struct Owner {
  int base;
  Trace t;
  Sub body(int n) {
    auto self = [this](auto x) -> Sub { base += co_await Pause{x}; co_return plus(1) + this->base; };
    auto copy = [*this, n](auto x) mutable -> Sub { base += co_await Pause{x} + n; co_return plus(1) + this->base + t.id; };
    auto implied = [&](auto x) -> Sub { n += co_await Pause{x}; co_return plus(n) + base; };
    say("s", co_await self(1)), say("s", co_await self('\2')), say("c", co_await copy(3)), say("c", co_await copy(short(4))), say("i", co_await implied(5));
    co_return base + n;
  }
  int plus(int n) const { return base + n; }
};
int main() {
  at_each_suspension([] { return references(1); });
  at_each_suspension([] { return values(10); });
  at_each_suspension([] { return packs(20); });
  at_each_suspension([] { static Owner o{100, Trace(30)}; return o.body(1000); });
}

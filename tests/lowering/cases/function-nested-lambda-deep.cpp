// case:   generic coroutine lambdas inside generic ones inside a coroutine; called at once; alive after the coroutine
// expect: ~ # +10 +11 +12 | ~ -12 -11 -10 # +10 +11 +12 | | ~ -12 -11 -10 # +10 +11 +12 | | | ~ -12 -11 -10 # +10 +11
// expect: +12 | | | -12 +12 | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12
// expect: | | | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | | -12 -11 +11 +12 | ~ -12 -11 -10 # +10 +11 +12 | | |
// expect: -12 +12 | | | -12 -11 +11 +12 | | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | | -12 -11 +11 +12 | | | ~
// expect: -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | | -12 -11 +11 +12 | | | -12 +12 | ~ -12 -11 -10 # +10 +11 +12 |
// expect: | | -12 +12 | | | -12 -11 +11 +12 | | | -12 +12 | | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | | -12 -11
// expect: +11 +12 | | | -12 +12 | | | ~ -12 -11 -10 # +10 +11 +12 | | | -12 +12 | | | -12 -11 +11 +12 | | | -12 +12 |
// expect: | | -12 -11 -10 ~ # alive0 ~ # +1 +1 | ~ -1 -1 # +1 +1 | -1 | ~ -1 # +1 +1 | -1 | | ~ -1 # +1 +1 | -1 | |
// expect: m6 +4 | ~ -4 -1 # +1 +1 | -1 | | m6 +4 | -4 | ~ -1 # +1 +1 | -1 | | m6 +4 | -4 | | ~ -1 # +1 +1 | -1 | | m6
// expect: +4 | -4 | | m11 -1 ~ # alive0 +4 ~ # | ~ # | | ~ # | | ~ # alive1 +5 c5 m5 -5 | over5 -5 alive2 +7 | -7 +6
// expect: | -6 kept33 -5 alive1 -4
#include "case.hpp"
Sub deep(int n) {
  Trace a(n);
  int sum = 0;
  auto outer = [&](auto x) -> Sub {
    Trace b(n + 1);
    auto middle = [&, x](auto y) -> Sub {
      Trace c(n + 2);
      auto inner = [=, &sum](auto... zs) -> Sub {
        ((sum += co_await Pause{static_cast<int>(zs)}), ...);
        co_return static_cast<int>(x + y + (zs + ... + 0));
      };
      sum += a.id + b.id;
      co_return co_await inner(1) + co_await inner(2, 3L) + c.id;
    };
    co_return co_await middle(x) + co_await middle('\1');
  };
  const int first = co_await outer(1), second = co_await outer(2L);
  co_return first * 1000 + second + sum;
}
Sub at_once(int n) {
  Trace a(n);
  for (int i = 0; i < 2; ++i) {
    n += co_await [&](auto k) -> Sub { Trace t(k + i); co_return co_await Pause{t.id} + a.id; }(n);
    const int m = co_await [](int k, auto... ks) -> Sub { co_return (ks + ... + co_await Pause{k}); }(n, 1, 2);
    if (co_await [=, &a]() -> Sub { co_await Pause{0}; co_return a.id == m; }()) co_return 0;
    say("m", m);
  }
  co_return n;
}
auto make(int n) {
  return [n, t = Trace(n)](auto f) -> Sub {
    auto g = [n, &t, f](auto x) -> Sub { co_return f(x) + co_await Pause{n} + t.id; };
    const int a = co_await g(1), b = co_await g(2L);
    co_return a * 100 + b;
  };
}
template <class F> Sub drive(F f, int n) { co_return co_await f(n) + co_await f('\1'); }
Sub outlived(Sub*& out, int n) {
  Trace a(n);
  out = new Sub(drive([n, a](auto k) -> Sub { Trace t(n + k); co_return co_await Pause{n} + t.id + a.id; }, 2));
  co_await Pause{1};
  say("over", a.id);
  co_return 0;
}
int main() {
  at_each_suspension([] { return deep(10); });
  at_each_suspension([] { return at_once(1); });
  auto f = make(4);
  at_each_suspension([&] { return f([](auto x) { return static_cast<int>(x) + 1; }); });
  Sub* kept = nullptr;
  outlived(kept, 5).run();
  say("alive", Trace::alive);
  kept->run();
  say("kept", kept->await_resume());
  delete kept;
  say("alive", Trace::alive);
}

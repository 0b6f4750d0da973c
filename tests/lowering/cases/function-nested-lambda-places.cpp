// case:   coroutine lambdas inside coroutine lambdas inside a coroutine, called at once, alive after the coroutine
// expect: ~ # +10 +11 +12 | ~ -12 -11 -10 # +10 +11 +12 | -12 +12 | ~ -12 -11 -10 # +10 +11 +12 | -12 +12 | -12 -11
// expect: +11 +12 | ~ -12 -11 -10 # +10 +11 +12 | -12 +12 | -12 -11 +11 +12 | -12 +12 | ~ -12 -11 -10 # +10 +11 +12 |
// expect: -12 +12 | -12 -11 +11 +12 | -12 +12 | -12 -11 -10 ~ # alive0 ~ # +1 +1 | ~ -1 -1 # +1 +1 | -1 | ~ -1 # +1
// expect: +1 | -1 | n3 +4 | ~ -4 -1 # +1 +1 | -1 | n3 +4 | -4 | ~ -1 # +1 +1 | -1 | n3 +4 | -4 | n8 -1 ~ # alive0 +5
// expect: c5 m5 -5 | over5 -5 alive1 +7 | -7 +6 | -6 kept33 -5 alive0
#include "case.hpp"
Sub deep(int n) {
  Trace a(n);
  int sum = 0;
  auto outer = [&](int x) -> Sub {
    Trace b(n + 1);
    auto middle = [&, x](int y) -> Sub {
      Trace c(n + 2);
      sum += a.id + b.id;
      const int d = co_await Pause{y};
      co_return d + x + c.id;
    };
    co_return co_await middle(x) + co_await middle(1);
  };
  const int first = co_await outer(1);
  co_return first * 1000 + co_await outer(2) + sum;
}
Sub at_once(int n) {
  Trace a(n);
  for (int i = 0; i < 2; ++i) {
    n += co_await [&](int k) -> Sub { Trace t(k + i); co_return co_await Pause{t.id} + a.id; }(n);
    if (co_await [=, &a]() -> Sub { co_await Pause{0}; co_return a.id == n; }()) co_return 0;
    say("n", n);
  }
  co_return n;
}
template <class F> Sub drive(F f, int n) { co_return co_await f(n) + co_await f(1); }
Sub outlived(Sub*& out, int n) {
  Trace a(n);
  out = new Sub(drive([n, a](int k) -> Sub { Trace t(n + k); co_return co_await Pause{n} + t.id + a.id; }, 2));
  co_await Pause{1};
  say("over", a.id);
  co_return 0;
}
int main() {
  at_each_suspension([] { return deep(10); });
  at_each_suspension([] { return at_once(1); });
  Sub* kept = nullptr;
  outlived(kept, 5).run();
  say("alive", Trace::alive);
  kept->run();
  say("kept", kept->await_resume());
  delete kept;
  say("alive", Trace::alive);
}

// case:   coroutine lambdas in member initializers, default arguments, global and template variables; *this captured
// expect: | global1 | constant2 | erased | variable4 | variable1 | +1 | default -1 | first9 | | inner | | with4 | member9 | made9 | made14 | member6 +7 c7 c7 | frozen10 | thawed2 | thawed3 c7 | | | deeper110 inside110 c7 | plain50 outside60 -7 -7 -7 -7 -7 alive0
#include <functional>
#include "case.hpp"
auto global = [](int n) -> VoidJob { co_await Pause{0}; say("global", n); };
inline constexpr auto constant = [](int n) -> VoidJob { co_await Pause{0}; say("constant", n); };
static std::function<VoidJob()> erased = []() -> VoidJob { co_await Pause{0}; say("erased"); };
template <class T>
inline constexpr auto variable = [](T t) -> VoidJob { T copy = t; co_await Pause{0}; say("variable", static_cast<int>(sizeof(copy))); };
VoidJob argument(std::function<VoidJob()> f = []() -> VoidJob { Trace t(1); co_await Pause{0}; say("default"); }) {
  VoidJob j = f();
  co_await Pause{0};
  j.run();
}
struct Members {
  int n = 4;
  std::function<VoidJob(int)> first = [this](int k) -> VoidJob { co_await Pause{0}; say("first", n + k); };
  std::function<VoidJob()> second{[]() -> VoidJob { auto inner = []() -> VoidJob { co_await Pause{0}; say("inner"); }; VoidJob j = inner(); co_await Pause{0}; j.run(); }};
  VoidJob with(std::function<VoidJob(int)> f = [](int k) -> VoidJob { co_await Pause{0}; say("with", k); }) { VoidJob j = f(n); co_await Pause{0}; j.run(); }
};
template <class T>
struct Holder {
  T t = 2;
  std::function<VoidJob(T)> member = [this](T k) -> VoidJob { T sum = static_cast<T>(t + k); co_await Pause{0}; say("member", static_cast<int>(sum + sizeof(sum))); };
  auto made() { return [this, u = t](T k) mutable -> VoidJob { co_await Pause{0}; u = static_cast<T>(u + k); say("made", static_cast<int>(u + t)); }; }
};
struct Self {
  Trace t{7};
  int v = 1;
  auto frozen() { return [*this](int k) -> VoidJob { co_await Pause{0}; say("frozen", v + k + t.id); }; }
  auto thawed() { return [*this]() mutable -> VoidJob { co_await Pause{0}; ++v; say("thawed", this->v); }; }
  VoidJob inside() {
    auto copy = [*this, k = 10]() mutable -> VoidJob {
      v += k;
      auto nested = [this] { return v; };
      co_await Pause{0};
      auto deeper = [this]() -> VoidJob { co_await Pause{0}; say("deeper", v); };
      VoidJob j = deeper();
      j.run();
      say("inside", nested());
    };
    v = 50;
    VoidJob j = copy();
    co_await Pause{0};
    j.run();
    auto plain = [*this] { auto job = [this]() -> VoidJob { co_await Pause{0}; say("plain", v); }; VoidJob p = job(); p.run(); };
    v = 60;
    plain();
    say("outside", v);
  }
};
int main() {
  global(1).run();
  constant(2).run();
  erased().run();
  variable<int>(1).run();
  variable<char>('c').run();
  argument().run();
  {
    Members m;
    m.first(5).run();
    m.second().run();
    m.with().run();
  }
  Holder<int> hi;
  hi.member(3).run();
  auto made = hi.made();
  made(5).run();
  made(5).run();
  Holder<char> hc;
  hc.member('\3').run();
  {
    Self s;
    auto frozen = s.frozen();
    auto thawed = s.thawed();
    s.v = 100;
    frozen(2).run();
    thawed().run();
    thawed().run();
    s.inside().run();
  }
  say("alive", Trace::alive);
}

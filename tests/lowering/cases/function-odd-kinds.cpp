// case:   coroutines that are operators, conversions, friends, abbreviated templates, or of a partial specialisation
// expect: ~ # +3 | ~ -3 # +3 | x6 -3 ~ # alive0 ~ # | ~ # | run8 ~ # alive0 ~ # | ~ # | stat10 ~ # alive0 ~ # | ~ # |
// expect: fr1 ~ # alive0 ~ # | ~ # | ptr1 ~ # alive0 ~ # | ~ # | conv3 ~ # alive0 ~ # | ~ # | call5 ~ # alive0 ~ # | ~
// expect: # | plus9 ~ # alive0 ~ # | virt5 | ~ # | virt5 | derived6 ~ # alive0 ~ # | ~ # | tr8 ~ # alive0
#include "case.hpp"
#include <concepts>
template <class T>
concept Small = sizeof(T) <= 4;
VoidJob abbreviated(auto x, Small auto y) requires std::integral<decltype(x)> {
  Trace t(x);
  co_await Pause{y};
  say("x", t.id + x);
}
template <class T> struct Outer {
  template <class U> struct Inner {
    T t;
    U u;
    VoidJob run(T more) const& {
      co_await Pause{1};
      say("run", static_cast<int>(t + u + more));
    }
    static VoidJob stat(U u) {
      auto v = u;
      co_await Pause{2};
      say("stat", static_cast<int>(v + u));
    }
    friend VoidJob friendly(Inner i) {
      co_await Pause{3};
      say("fr", static_cast<int>(i.t));
    }
  };
};
template <class T> struct Outer<T*> {
  VoidJob run(T* p) && noexcept {
    co_await Pause{*p};
    say("ptr", *p);
  }
};
struct Ops {
  int n;
  explicit operator VoidJob() const {
    co_await Pause{n};
    say("conv", n);
  }
  VoidJob operator()(int k) const {
    co_await Pause{k};
    say("call", n + k);
  }
  VoidJob operator+(const Ops& o) const {
    int m = o.n;
    co_await Pause{m};
    say("plus", n + m);
  }
  virtual VoidJob virt(int k = 4) {
    co_await Pause{k};
    say("virt", k);
  }
  virtual ~Ops() = default;
  Ops(int n) : n(n) {}
};
struct Derived : Ops {
  using Ops::Ops;
  VoidJob virt(int k) override {
    auto j = Ops::virt(k + 1);
    j.run();
    co_await Pause{1};
    say("derived", n);
  }
};
namespace {
auto trailing(int a[3], int (*f)(int), int g(int)) -> VoidJob {
  co_await Pause{1};
  say("tr", a[1] + f(1) + g(2));
}
} // namespace
static int twice(int n) { return 2 * n; }
int main() {
  int a[3] = {1, 2, 3};
  at_each_suspension([] { return abbreviated(3, 4); });
  Outer<long>::Inner<short> in{1, 2};
  at_each_suspension([&] { return in.run(5); });
  at_each_suspension([&] { return decltype(in)::stat(5); });
  at_each_suspension([&] { return friendly(in); });
  at_each_suspension([&] { return Outer<int*>{}.run(a); });
  Ops o{3};
  Derived d{6};
  at_each_suspension([&] { return VoidJob(o); });
  at_each_suspension([&] { return o(2); });
  at_each_suspension([&] { return o + d; });
  at_each_suspension([&] { return static_cast<Ops&>(d).virt(); });
  at_each_suspension([&] { return trailing(a, twice, twice); });
}

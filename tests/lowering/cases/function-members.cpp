// case:   const, static, virtual, rvalue-qualified, out-of-class and nested members; call operators
// expect: | base2 | derived45 | const1 | static3 | rvalue1 | call10 | outside85 | deep7
#include "case.hpp"
struct Base {
  int v = 1;
  virtual ~Base() = default;
  virtual VoidJob work(int n) { co_await Pause{0}; say("base", v + n); }
  VoidJob constant() const { co_await Pause{0}; say("const", v); }
  static VoidJob fixed(int n) { co_await Pause{0}; say("static", n); }
  VoidJob rvalue() && { co_await Pause{0}; say("rvalue", v); }
  VoidJob operator()(int a, int b) { co_await Pause{0}; say("call", a + b + v); }
  VoidJob outside(int n);
  struct Inner { int w = 7; VoidJob deep() { co_await Pause{0}; say("deep", w); } };
 private:
  int secret = 42;
  static int helper(int n) { return n + 1; }
 protected:
  int guarded() const { return secret; }
};
struct Derived : Base {
  VoidJob work(int n) override { co_await Pause{0}; say("derived", v + n + guarded()); }
};
VoidJob Base::outside(int n) {
  int s = secret;
  co_await Pause{n};
  say("outside", helper(s + this->secret));
}
int main() {
  Derived d;
  Base b;
  Base& r = d;
  VoidJob jobs[] = {b.work(1), r.work(2), b.constant(), Base::fixed(3), std::move(b).rvalue(), b(4, 5), b.outside(6)};
  for (VoidJob& j : jobs) j.run();
  Base::Inner i;
  VoidJob j = i.deep();
  j.run();
}

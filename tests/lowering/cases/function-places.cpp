// case:   operators, conversions, friends, literals, linkage blocks, virtual functions with defaults, constraints
// expect: | hidden1 | nested2 | static | linked3 | marked7 | trailing4 | constrained4 | constrained8 | brief4 | brief1 | pure12 | | base derived | const5 | volatile4 | lvalue5 | both5 | subscript7 | plus9 | arrow8 | after5 | converted6 | friend14 | minus5 | deep8 | outside9 | | private8 | literal5
#include <concepts>
#include "case.hpp"
namespace {
VoidJob hidden(int n) { co_await Pause{0}; say("hidden", n); }
}  // namespace
namespace one::two::inline three {
VoidJob nested(int n) { co_await Pause{0}; say("nested", n); }
struct Static { static VoidJob run(); };
}  // namespace one::two::inline three
VoidJob one::two::Static::run() { co_await Pause{0}; say("static"); }
extern "C++" {
VoidJob linked(int n) { co_await Pause{0}; say("linked", n); }
}
[[nodiscard]] VoidJob marked([[maybe_unused]] int n, int m = 7) noexcept { co_await Pause{0}; say("marked", m); }
auto trailing(int n) -> VoidJob { co_await Pause{0}; say("trailing", n); }
template <std::integral I>
VoidJob constrained(I i) requires (sizeof(I) > 1) { I j = i; co_await Pause{0}; say("constrained", static_cast<int>(sizeof(j))); }
VoidJob brief(std::integral auto i) { auto j = i; co_await Pause{0}; say("brief", static_cast<int>(sizeof(j))); }
struct Base {
  virtual ~Base() = default;
  virtual VoidJob pure(int n = 3) = 0;
  virtual VoidJob twice() { co_await Pause{0}; say("base"); }
};
struct Derived final : Base {
  int m = 9;
  VoidJob pure(int n) override { co_await Pause{0}; say("pure", n + m); }
  VoidJob twice() final {
    VoidJob base = Base::twice();
    co_await Pause{0};
    base.run();
    say("derived");
  }
};
struct Thing {
  int n = 4;
  mutable int changed = 0;
  VoidJob constant() const { co_await Pause{0}; ++changed; say("const", n + changed); }
  VoidJob watched() volatile { co_await Pause{0}; say("volatile", n); }
  VoidJob named() & { co_await Pause{0}; say("lvalue", ++n); }
  VoidJob both() const& noexcept { co_await Pause{0}; say("both", n); }
  VoidJob operator[](int k) { co_await Pause{0}; say("subscript", n + k); }
  VoidJob operator+(const Thing& o) const { int k = o.n; co_await Pause{0}; say("plus", n + k); }
  VoidJob operator->*(int k) { co_await Pause{0}; say("arrow", n + k); }
  VoidJob operator++(int) { co_await Pause{0}; say("after", n++); }
  operator VoidJob() { co_await Pause{0}; say("converted", n); }
  friend VoidJob befriended(Thing& t) { co_await Pause{0}; say("friend", t.n + t.secret); }
  friend VoidJob operator-(const Thing& t, int k) { int m = t.n; co_await Pause{0}; say("minus", m - k); }
  struct Inner {
    Thing& t;
    VoidJob deep() { co_await Pause{0}; say("deep", t.secret); }
  };
  VoidJob outside(int) const;
  VoidJob inside() { VoidJob j = hidden(); co_await Pause{0}; j.run(); }

 private:
  int secret = 8;
  VoidJob hidden() { co_await Pause{0}; say("private", secret); }
};
VoidJob Thing::outside(int k) const { co_await Pause{0}; say("outside", k + secret); }
VoidJob operator""_job(unsigned long long n) { co_await Pause{0}; say("literal", static_cast<int>(n)); }
int main() {
  hidden(1).run();
  one::two::nested(2).run();
  one::two::three::Static::run().run();
  linked(3).run();
  marked(1).run();
  trailing(4).run();
  constrained(1).run();
  constrained(1L).run();
  brief(1).run();
  brief('c').run();
  Derived d;
  Base& b = d;
  b.pure().run();
  b.twice().run();
  Thing t, u;
  t.constant().run();
  t.watched().run();
  t.named().run();
  t.both().run();
  t[2].run();
  (t + u).run();
  (t->*3).run();
  (t++).run();
  VoidJob converted = t;
  converted.run();
  befriended(t).run();
  (t - 1).run();
  Thing::Inner{t}.deep().run();
  t.outside(1).run();
  t.inside().run();
  (5_job).run();
}

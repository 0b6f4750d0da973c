// case:   virtual members of local classes and functions by pointer that are coroutines, inside a coroutine
// expect: ~ # | ~ # | | ~ # | | ~ # alive0 ~ # | ~ # | | ~ # | | | ~ # | | | ~ # alive0
#include "case.hpp"
struct Base {
  int base = 1;
  virtual Sub value(int n) { co_return n + co_await Pause{base}; }
};
Sub derived(int n) {
  struct Derived : Base {
    int more;
    explicit Derived(int m) : more(m) {}
    Sub value(int k) override {
      auto f = [this, k](auto x) -> Sub { more += co_await Pause{k}; co_return more + base + static_cast<int>(x); };
      auto g = [=, *this](auto x) mutable -> Sub { more += co_await Pause{k}; co_return more + static_cast<int>(x); };
      const int a = co_await f(1), b = co_await g('\2'), c = co_await Base::value(more);
      co_return a * 10000 + b * 100 + c;
    }
  };
  Derived d(n);
  Base& b = d;
  co_return co_await b.value(7);
}
static Sub twice(Sub (*f)(int), int n) { co_return co_await f(n) + co_await f(n + 1); }
Sub pointer(int n) {
  const int a = co_await twice([](int k) -> Sub { struct Plain { int v; Sub get() { co_return v + co_await Pause{1}; } }; Plain p{k}; co_return co_await p.get(); }, n);
  co_return a;
}
int main() {
  at_each_suspension([] { return pointer(5); });
  at_each_suspension([] { return derived(5); }); }

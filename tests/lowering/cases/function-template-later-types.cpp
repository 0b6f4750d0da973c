// case:   templates whose arguments are types that are declared after them
// expect: | | | use3 | | | use6 +3 m3 | m3 m3 -3 c3 c3 c3 c3 c3 -3 -3 | | c3 use9 -3 -3 -3 -3 -3 -3 -3 | | | use12 | | | use48 | | | use24 | | | refer2 | refer4 | inner6 | inner16 | anything3 | anything3 | | sum4 | | | sum9 | | sum4 | constant5 | constant6 | constant7 | show1 | show8 alive0
#include <vector>
#include "case.hpp"
template <class T>
struct Value {
  struct promise_type {
    T* result = nullptr;
    Value get_return_object() { return Value{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(T v) { result = new T(static_cast<T&&>(v)); }
    void unhandled_exception() {}
    ~promise_type() { delete result; }
  };
  struct Awaiter {
    std::coroutine_handle<promise_type> h;
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { say("|"); }
    T await_resume() { if (!h.done()) h.resume(); return *h.promise().result; }
  };
  std::coroutine_handle<promise_type> h;
  explicit Value(std::coroutine_handle<promise_type> c) : h(c) {}
  Value(Value&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Value() { if (h) h.destroy(); }
  Awaiter operator co_await() const { return {h}; }
};
template <class T>
Value<T> make(T v) {
  T copy = v;
  co_await Pause{0};
  co_return copy;
}
template <class T>
Value<T> ready(T v) { co_return v; }
template <class T>
VoidJob use(Value<T> v) {
  T t = co_await v;
  std::vector<T> list{t, t};
  co_await Pause{0};
  const T* p = &list[1];
  say("use", t.get() + p->get() + (co_await v).get());
}
template <class T>
VoidJob refer(T& t, const T* p) {
  T again = t;
  co_await PauseRef<T>{t};
  say("refer", again.get() + p->get());
}
template <class T>
VoidJob inner(typename T::Inner i) {
  typename T::Inner j = i;
  auto k = j;
  co_await Pause{0};
  say("inner", j.n + k.n);
}
VoidJob anything(auto v, const auto& r) {
  auto w = v;
  co_await Pause{0};
  say("anything", w.get() + r.get());
}
template <class C>
VoidJob sum(const C& c) {
  int n = 0;
  for (const auto& e : c) n += e.get() + co_await Pause{1};
  say("sum", n);
}
template <auto V>
VoidJob constant() {
  auto v = V;
  co_await Pause{0};
  say("constant", static_cast<int>(v));
}
template <class T>
struct Holder {
  T t;
  Value<T> give() { co_return t; }
  VoidJob show() { T u = co_await give(); say("show", u.get()); }
};
struct One { int get() const { return 1; } };
struct Two { char c = 2; int get() const { return c; } };
namespace space {
struct Three {
  struct Inner { int n = 3; };
  Trace t{3};
  int get() const { return t.id; }
};
template <class T>
struct Four { int get() const { return 4 * static_cast<int>(sizeof(T)); } };
}  // namespace space
enum class Kind { a = 5, b };
enum class Sort { a = 7, b };
namespace {
struct Hidden { struct Inner { int n = 8; }; int get() const { return 8; } };
}
int main() {
  use(ready(One())).run();
  use(ready(Two())).run();
  use(ready(space::Three())).run();
  use(ready(space::Four<char>())).run();
  use(ready(space::Four<int>())).run();
  use(ready(Hidden())).run();
  make(One()).h.resume();
  make(Two()).h.resume();
  One one;
  refer(one, &one).run();
  Two two;
  refer(two, &two).run();
  inner<space::Three>({}).run();
  inner<Hidden>({}).run();
  anything(One(), two).run();
  anything(two, one).run();
  const std::vector<One> ones(2);
  sum(ones).run();
  const std::vector<Two> twos(3);
  sum(twos).run();
  One array[2];
  sum(array).run();
  constant<Kind::a>().run();
  constant<Kind::b>().run();
  constant<Sort::a>().run();
  Holder<One>{}.show().run();
  Holder<space::Four<short>>{}.show().run();
  say("alive", Trace::alive);
}

// case:   instantiations told apart by every kind of argument: without a name, closures, values, templates, out-of-class
// expect: | | then5 | | then10 | | then7 | a1 | a2 | b6 | b7 +7 m7 c7 | c13 | c15 -7 -7 -7 | local1 | local2 | member42 | member20 | plain1 | plain8 | any4 | any1 | pointer4 | pointer1 | unnamed | unnamed | value1 | value8 | size3 | size4 | auto7 | auto11 | pointer1 | pointer2 | pointer0 | reference1 | reference2 | function8 | function8 | parameter | parameter | behind4 | behind8 alive0
#include <vector>
#include "case.hpp"
template <class F>
VoidJob run(F f) {
  auto first = f(co_await Pause{1});
  co_await Pause{0};
  say("then", static_cast<int>(first) + static_cast<int>(sizeof(first)));
}
template <class F>
VoidJob run_copy(F f) {
  F g = f;
  g(co_await Pause{1});
  co_await Pause{0};
  g(2);
}
template <class T>
struct Box {
  template <class U>
  VoidJob member(U u);
  VoidJob plain(T t);
};
template <class A>
template <class B>
VoidJob Box<A>::member(B b) {
  B copy = b;
  co_await Pause{0};
  say("member", static_cast<int>(10 * sizeof(A) + sizeof(B) + static_cast<B>(copy)));
}
template <class Other>
VoidJob Box<Other>::plain(Other t) {
  Other copy = t;
  co_await Pause{0};
  say("plain", static_cast<int>(sizeof(copy)));
}
template <class T, class = void>
struct Special {
  VoidJob go() { co_await Pause{0}; say("any", static_cast<int>(sizeof(T))); }
};
template <class T>
struct Special<T*, void> {
  VoidJob go() { co_await Pause{0}; say("pointer", static_cast<int>(sizeof(T))); }
};
template <class>
VoidJob unnamed() { co_await Pause{0}; say("unnamed"); }
template <int, class T = char, bool = true>
VoidJob unnamed_value(T t) { T u = t; co_await Pause{0}; say("value", static_cast<int>(sizeof(u))); }
template <class T>
struct Four { T a, b, c; int size() const { return 4; } };
template <template <class...> class C>
VoidJob of_template() { C<int> c{1, 2, 3}; co_await Pause{0}; say("size", static_cast<int>(c.size())); }
template <auto V>
VoidJob automatic() { auto v = V; co_await Pause{0}; say("auto", static_cast<int>(sizeof(v)) + static_cast<int>(v)); }
int one = 1, two = 2;
int twice(int n) { return 2 * n; }
int value_at(const int* p) { return p ? *p : 0; }
template <int* P>
VoidJob pointer() { co_await Pause{0}; say("pointer", value_at(P)); }
template <int& R>
VoidJob reference() { co_await Pause{0}; say("reference", R); }
template <int (*F)(int)>
VoidJob function() { say("function", F(co_await Pause{4})); }
VoidJob parameter(auto) { co_await Pause{0}; say("parameter"); }
VoidJob behind(const auto* p) { auto v = *p; co_await Pause{0}; say("behind", static_cast<int>(sizeof(v))); }
int main() {
  int k = 5;
  run([](int n) { return n; }).run();
  run([](int n) { return n + 1L; }).run();
  run([k](int n) mutable { return static_cast<char>(n + k++); }).run();
  run_copy([](int n) { say("a", n); }).run();
  run_copy([k](int n) { say("b", n + k); }).run();
  run_copy([t = Trace(7), k](int n) mutable { say("c", t.plus(n + k++)); }).run();
  struct Local { void operator()(int n) { say("local", n); } };
  run_copy(Local{}).run();
  Box<int>().member('\1').run();
  Box<char>().member(2L).run();
  Box<char>().plain('c').run();
  Box<long>().plain(1).run();
  Special<int>().go().run();
  Special<char>().go().run();
  Special<int*>().go().run();
  Special<char*>().go().run();
  unnamed<int>().run();
  unnamed<char>().run();
  unnamed_value<1>('c').run();
  unnamed_value<2, long, false>(1).run();
  of_template<std::vector>().run();
  of_template<Four>().run();
  automatic<3>().run();
  automatic<3L>().run();
  pointer<&one>().run();
  pointer<&two>().run();
  pointer<nullptr>().run();
  reference<one>().run();
  reference<two>().run();
  function<twice>().run();
  function<&twice>().run();
  parameter(1).run();
  parameter('c').run();
  long l = 1;
  behind(&k).run();
  behind(&l).run();
  say("alive", Trace::alive);
}

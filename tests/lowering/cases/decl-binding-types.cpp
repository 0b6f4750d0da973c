// case:   decltype of structured bindings; begin and get found by their arguments alone; static_assert about locals
// expect: ~ # | ~ # | | ~ # | | i6 b23 | ~ # | | i6 b23 | | ~ # | | i6 b23 | | own10 | ~ # | | i6 b23 | | own10 |
// expect: look4 | ~ # | | i6 b23 | | own10 | look4 | list3 ~ # alive0 ~ # | ~ # | | ~ # | | x10 | ~ # | | x10 | x11 |
// expect: ~ # | | x10 | x11 | x12 +3 +13 | ~ -13 -3 # | | x10 | x11 | x12 +3 +13 | t14 +6 | ~ -6 -13 -3 # | | x10 |
// expect: x11 | x12 +3 +13 | t14 +6 | o7 -7 -13 -3 ~ # alive0
#include "case.hpp"
#include <tuple>
#include <type_traits>
namespace lib {
struct Range { int v[3]{1, 2, 3}; };
inline int* begin(Range& r) { return r.v; }
inline int* end(Range& r) { return r.v + 3; }
struct One { Trace t; };
template <std::size_t> Trace& get(One& o) { return o.t; }
template <std::size_t> Trace get(One&& o) { return Trace(o.t.id + 10); }
}  // namespace lib
template <> struct std::tuple_size<lib::One> : std::integral_constant<std::size_t, 1> {};
template <> struct std::tuple_element<0, lib::One> { using type = Trace; };
VoidJob types() {
  int i = 1;
  auto [a, b] = std::tuple<int&, int>(i, 2);
  co_await Pause{0};
  static_assert(std::is_same_v<decltype(a), int&> && std::is_same_v<decltype((b)), int&>);
  decltype(b) copy = b;
  decltype(a) same = a;
  same += co_await Pause{5};
  ++copy;
  say("i", i);
  say("b", b * 10 + copy);
  struct S { const int x; int& r; };
  auto [x, r] = S{3, i};
  co_await Pause{0};
  static_assert(std::is_same_v<decltype(x), const int> && std::is_same_v<decltype(r), int&>);
  std::remove_const_t<decltype(x)> own = x;
  own += co_await Pause{1};
  say("own", own + r);
  auto look = [&](int z) {
    decltype(b) c = z;
    static_assert(std::is_same_v<decltype(b), int>);
    return c + b;
  };
  say("look", look(co_await Pause{2}));
  int list[3] = {1, 2, co_await Pause{3}};
  static_assert(sizeof(list) == 3 * sizeof(int));
  say("list", list[2]);
}
struct Names {
  int get() { return 1; }
  VoidJob body() {
    int begin = 4, end = co_await Pause{5};
    lib::Range r;
    for (int x : r) { co_await Pause{0}; say("x", x + begin + end); }
    auto [t] = lib::One{Trace(3)};
    co_await Pause{0};
    say("t", t.id + get());
    lib::One o{Trace(6)};
    auto& [u] = o;
    u.id = co_await Pause{7};
    say("o", o.t.id);
  }
};
int main() {
  at_each_suspension(types);
  Names n;
  at_each_suspension([&] { return n.body(); });
}

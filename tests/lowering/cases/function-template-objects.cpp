// case:   template arguments of class type and of types that other arguments give tell instantiations apart
// expect: ~ # | ~ # | c97 ~ # alive0 ~ # | ~ # | c97 ~ # alive0 ~ # | ~ # | long | ~ # | long | c108 ~ # alive0 ~ #
// expect: +7 | ~ -7 # +7 | t7 -7 ~ # alive0 ~ # | ~ # | x8 ~ # alive0 ~ # | ~ # | point3 ~ # alive0 ~ # +10 | ~ -10 #
// expect: +10 | called15 -10 ~ # alive0 ~ # | ~ # | i99 ~ # alive0 ~ # | ~ # | v4 ~ # alive0 ~ # | ~ # | | ~ # | |
// expect: small v4 ~ # alive0
#include "case.hpp"
template <std::size_t N>
struct Text {
  char s[N]{};
  constexpr Text(const char (&a)[N]) { for (std::size_t i = 0; i < N; ++i) s[i] = a[i]; }
};
struct Point { int x; const int* none = nullptr; };
struct Wide : Point { bool b; int more[2]; };
enum class Kind : char;
template <Text S>
VoidJob text() {
  if constexpr (sizeof(S.s) > 4) { co_await Pause{1}; say("long"); }
  char c = S.s[0];
  co_await Pause{0};
  say("c", c);
}
template <Wide W>
VoidJob wide() {
  if constexpr (W.more[1] == 2) { Trace t(W.x); co_await Pause{0}; say("t", t.id); }
  else { co_await Pause{W.x}; say("x", W.x + W.b); }
}
template <auto V>
VoidJob any() {
  if constexpr (requires { V.x; }) { co_await Pause{V.x}; say("point", V.x); }
  else if constexpr (requires { V(1); }) { Trace t(V(2)); co_await Pause{0}; say("called", V(3)); }
  else { int i = static_cast<int>(V); co_await Pause{0}; say("i", i); }
}
template <class T, T V>
VoidJob typed() {
  T v = V;
  co_await Pause{0};
  if constexpr (sizeof(T) == 1) { co_await Pause{1}; say("small"); }
  say("v", static_cast<int>(v));
}
enum class Kind : char { some = 3, other };
constexpr auto times_five = [](int i) { return i * 5; };
int main() {
  at_each_suspension(text<"abc">);
  at_each_suspension(text<"abd">);
  at_each_suspension(text<"longer">);
  at_each_suspension(wide<Wide{{7}, true, {1, 2}}>);
  at_each_suspension(wide<Wide{{7}, true, {1, 3}}>);
  at_each_suspension(any<Point{3}>);
  at_each_suspension(any<times_five>);
  at_each_suspension(any<'c'>);
  at_each_suspension(typed<long, 4>);
  at_each_suspension(typed<Kind, Kind::other>);
}

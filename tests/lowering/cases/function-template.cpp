// case:   function templates and if constexpr on their parameters
// expect: ~ # | ~ # | int v4 ~ # alive0 ~ # +1 | ~ -1 # +1 | other -1 v5 ~ # alive0
#include "case.hpp"
#include <type_traits>
template <class T>
VoidJob body(T v) {
  T copy = v;
  if constexpr (std::is_same_v<T, int>) { co_await Pause{0}; say("int"); }
  else { Trace t(1); co_await Pause{0}; say("other"); }
  say("v", static_cast<int>(copy + v));
}
int main() {
  at_each_suspension([] { return body(2); });
  at_each_suspension([] { return body(2.5); });
}

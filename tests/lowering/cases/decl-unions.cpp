// case:   unions, bit-fields, optionals and variants as locals
// expect: ~ # | ~ # | +2 +3 | ~ -3 -2 # | +2 +3 | sum19 -3 -2 ~ # alive0
#include "case.hpp"
#include <optional>
#include <variant>
union Either { int i; float f; };
VoidJob body() {
  Either e{.i = 3};
  struct { unsigned a : 4, b : 4; } const bits{5, 6};
  std::optional<Trace> o;
  std::variant<int, Trace> v(1);
  co_await Pause{0};
  o.emplace(2);
  v.emplace<Trace>(3);
  co_await Pause{0};
  say("sum", e.i + static_cast<int>(bits.a + bits.b) + o->id + std::get<1>(v).id);
}
int main() { at_each_suspension(body); }

// case:   namespaces, anonymous namespaces, friends, static, inline, noexcept, trailing return types, attributes
// expect: | named | hidden | friend5 | static | inline | trailing1 | noexcept | nodiscard | declared3 | alias
// expect: | int | double
#include "case.hpp"
namespace outer::inner {
VoidJob named() { co_await Pause{0}; say("named"); }
namespace { VoidJob hidden() { co_await Pause{0}; say("hidden"); } }
VoidJob call() { return hidden(); }
}
class Keeper {
  int v = 5;
  friend VoidJob peek(Keeper k) { co_await Pause{0}; say("friend", k.v); }
};
static VoidJob local() { co_await Pause{0}; say("static"); }
inline VoidJob inlined() { co_await Pause{0}; say("inline"); }
auto trailing(int v) -> VoidJob { co_await Pause{0}; say("trailing", v); }
VoidJob quiet() noexcept { co_await Pause{0}; say("noexcept"); }
[[nodiscard]] VoidJob attributed() { co_await Pause{0}; say("nodiscard"); }
VoidJob declared(int v = 3);
VoidJob declared(int v) { co_await Pause{0}; say("declared", v); }
using Alias = VoidJob;
Alias aliased() { co_await Pause{0}; say("alias"); }
VoidJob overloaded(int) { co_await Pause{0}; say("int"); }
VoidJob overloaded(double) { co_await Pause{0}; say("double"); }
int main() {
  VoidJob jobs[] = {outer::inner::named(), outer::inner::call(), peek(Keeper{}), local(), inlined(), trailing(1), quiet(),
                    attributed(), declared(), aliased(), overloaded(1), overloaded(1.5)};
  for (VoidJob& j : jobs) j.run();
}

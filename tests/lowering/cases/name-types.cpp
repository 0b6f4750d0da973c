// case:   a local named as a type, and used beside the elaborated type
// expect: | | | sum8
#include "case.hpp"
struct item { int v; };
struct state { int v = 3; };
VoidJob body() {
  item first{1};
  co_await Pause{0};
  struct item item{first.v + 1};
  co_await Pause{0};
  struct item other{item.v + 1};
  state state;
  co_await Pause{0};
  say("sum", item.v + other.v + state.v);
}
int main() { VoidJob j = body(); j.run(); }

// case:   move-only values pass through awaits
// expect: ~ # | ~ # | p1 | ~ # | p1 | t3 | ~ # | p1 | t3 | | ~ # | p1 | t3 | | u7 ~ # alive0
#include "case.hpp"
#include <memory>
static int take(std::unique_ptr<int> p, int n) { return *p + n; }
VoidJob body() {
  auto p = co_await PauseFor<std::unique_ptr<int>>{std::make_unique<int>(1)};
  say("p", *p);
  say("t", take(std::move(p), co_await Pause{2}));
  say("u", take(co_await PauseFor<std::unique_ptr<int>>{std::make_unique<int>(3)}, co_await Pause{4}));
}
int main() { at_each_suspension(body); }

// case:   an init-capture of a pack whose initializers suspend
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | | ~ # | | | | | ~ # | | | | | sum13 ~ # alive0 ~ # | ~ # | | ~ # | | sum1
// expect: ~ # alive0
#include "case.hpp"
template <class... T>
VoidJob body(T... t) {
  auto sum = [... kept = t + co_await Pause{t}, last = co_await Pause{1}] { return (last + ... + kept); };
  co_await Pause{0};
  say("sum", sum());
}
int main() {
  at_each_suspension([] { return body(1, 2, 3); });
  at_each_suspension([] { return body(); });
}

// case:   an operand that names a member of this, at the begin of an operand that suspends
// expect: ~ # | ~ # | e11 ~ # alive0
#include "case.hpp"
struct Box {
  int base;
  VoidJob each(int x) {
    say("e", base + co_await Pause{x});
  }
};
int main() {
  Box box{10};
  at_each_suspension([&] { return box.each(1); });
}

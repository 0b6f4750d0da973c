// case:   a file with CR LF line ends
// expect: ~ # | ~ # | | ~ # | | a1 text ~ # alive0
#include "case.hpp"
VoidJob body() {
  int a = co_await Pause{1};
  if (a == 1) {
    // a comment
    co_await Pause{0};
    say("a",
        a);
  }
  say("text");
}
int main() { at_each_suspension(body); }

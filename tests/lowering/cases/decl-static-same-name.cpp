// case:   static locals of the same name in sibling scopes
// expect: | a11 | b21 | a12 | b22 +1 | text1 | a13 | b23 | a14 | b24 | text1 -1
#include "case.hpp"
VoidJob body() {
  for (int i = 0; i < 2; ++i) {
    { static int n = 10; ++n; co_await Pause{0}; say("a", n); }
    { static int n = 20; ++n; co_await Pause{0}; say("b", n); }
  }
  static Trace kept(1);
  static const char* text = "text";
  co_await Pause{0};
  say(text, kept.id);
}
int main() { { VoidJob j = body(); j.run(); } { VoidJob j = body(); j.run(); } }

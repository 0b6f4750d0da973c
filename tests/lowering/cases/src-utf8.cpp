// case:   UTF-8 in identifiers, comments and strings, raw strings, universal names
// expect: ~ # | ~ # | | ~ # | | straße ✓3 | ~ # | | straße ✓3 | co_await "raw" // not a comment }{ \n esc"\Aé
// expect: | ~ # | | straße ✓3 | co_await "raw" // not a comment }{ \n esc"\Aé | w195 | ~ # | | straße ✓3 |
// expect: co_await "raw" // not a comment }{ \n esc"\Aé | w195 | q73 ~ # alive0
#include "case.hpp"
VoidJob body() {
  int größe = co_await Pause{3};  // Größe in Metern — ✓
  const char* текст = "straße ✓";
  co_await Pause{0};
  say(текст, größe);
  const char* raw = R"x(co_await "raw" // not a comment
  }{ \n)x";
  co_await Pause{0};
  say(raw);
  say("esc\"\\\x41\u00e9");
  const auto* wide = u8"é";
  co_await Pause{0};
  say("w", static_cast<int>(wide[0]));
  char c = '"'; char d = '\'';
  co_await Pause{0};
  say("q", c + d);
}
int main() { at_each_suspension(body); }

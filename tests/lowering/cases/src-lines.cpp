// case:   __LINE__ and assert-like macros keep the user's lines
// expect: ~ # line1 | ~ # line1 | line2 | ~ # line1 | line2 | line6 file1 ~ # alive0
#include "case.hpp"
#include <cstring>
#define WHERE() say("line", __LINE__ - base)
VoidJob body() {
  const int base = __LINE__;
  WHERE();
  int v = co_await Pause{1}; WHERE();
  for (int i = 0; i < 1; ++i) {
    co_await Pause{v};

    WHERE();
  }
  say("file", std::strstr(__FILE__, "src-lines.cpp") != nullptr);
}
int main() { at_each_suspension(body); }

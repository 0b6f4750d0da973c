// case:   std::string operands across suspensions
// expect: ~ # | ~ # | | ~ # | | a-long-string-that-needs-the-heap,another-long-string-on-the-heap,x,y | ~ # |
// expect: | a-long-string-that-needs-the-heap,another-long-string-on-the-heap,x,y |
// expect: a-long-string-that-needs-the-heap,appended-and-again-long-enough | ~ # | |
// expect: a-long-string-that-needs-the-heap,another-long-string-on-the-heap,x,y |
// expect: a-long-string-that-needs-the-heap,appended-and-again-long-enough | first2 ~ # alive0
#include "case.hpp"
#include <string>
static void print(const std::string& s) { say(s.c_str()); }
PauseFor<std::string> text(const char* s) { return {s}; }
VoidJob body() {
  std::string s = "a-long-string-that-needs-the-heap,";
  print(s + co_await text("another-long-string-on-the-heap,") + "x," + co_await text("y"));
  s += co_await text("appended-and-again-long-enough");
  print(s);
  print(std::string("first") + std::to_string(co_await Pause{2}));
}
int main() { at_each_suspension(body); }

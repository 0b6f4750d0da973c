// case:   macros of the program, defined behind its last #include, named like things in headers
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | | ~ # | | | | min6 ~ # alive0
#ifdef NO_SUCH_MACRO
#  include "no such file"
#else
#  include "case.hpp"  // the last one
#endif
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define T 5
VoidJob body() {
  int most = max(co_await Pause{T}, T + 2);
  co_await Pause{0};
  say("min", min(most, co_await Pause{6}));
}
int main() { at_each_suspension(body); }

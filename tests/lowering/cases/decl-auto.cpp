// case:   placeholder types, decltype, function pointers, several declarators
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | text59 big7 ~ # alive0
#include "case.hpp"
static int twice(int v) { return 2 * v; }
VoidJob body() {
  auto a = co_await Pause{1};
  decltype(a) b = a + 1, c = co_await Pause{3}, *p = &c;
  decltype(auto) d = (b);
  int (*f)(int) = twice;
  auto g = &twice;
  int e, h = 4, i(5), j{6};
  e = 7;
  const auto* text = "text";
  unsigned long long big = 1ull << 40;
  volatile int v = 8;
  long double ld = 1.5L;
  bool flag{};
  co_await Pause{0};
  d += 10;
  say(text, f(a) + g(b) + *p + e + h + i + j + v + flag);
  say("big", static_cast<int>(big >> 38) + static_cast<int>(ld * 2));
}
int main() { at_each_suspension(body); }

// case:   implicit conversions of and around awaited values
// expect: ~ # | ~ # | d6 | ~ # | d6 | m4 | ~ # | d6 | m4 | conv e5 | ~ # | d6 | m4 | conv e5 | l7 | ~ # | d6 |
// expect: m4 | conv e5 | l7 | | ~ # | d6 | m4 | conv e5 | l7 | | k7 | ~ # | d6 | m4 | conv e5 | l7 | | k7 |
// expect: bool yes | ~ # | d6 | m4 | conv e5 | l7 | | k7 | bool yes | c44 | ~ # | d6 | m4 | conv e5 | l7 | |
// expect: k7 | bool yes | c44 | big2 ~ # alive0
#include "case.hpp"
#include <string>
struct Meters {
  double v;
  Meters(double d) : v(d) {}
  operator double() const { say("conv"); return v; }
  explicit operator bool() const { say("bool"); return v > 1; }
};
static int length(const std::string& s, long n) { return static_cast<int>(s.size()) + static_cast<int>(n); }
VoidJob body() {
  double d = co_await Pause{3};
  say("d", static_cast<int>(d * 2));
  Meters m = co_await Pause{4};
  say("m", static_cast<int>(m.v));
  double e = co_await PauseFor<Meters>{Meters(5)};
  say("e", static_cast<int>(e));
  say("l", length("four", co_await Pause{3}));
  say("k", length(co_await PauseFor<const char*>{"sixsix"}, co_await Pause{1}));
  if (co_await PauseFor<Meters>{Meters(2)}) say("yes");
  unsigned char c = static_cast<unsigned char>(co_await Pause{300});
  say("c", c);
  const long big = 1L + co_await Pause{1};
  say("big", static_cast<int>(big));
}
int main() { at_each_suspension(body); }

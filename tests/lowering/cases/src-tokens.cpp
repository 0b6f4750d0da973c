// case:   digraphs, alternative tokens, line splices, raw strings and macros of the body
// expect: ~ # | ~ # | | ~ # | | | ~ # | | | | ~ # | | | | co_await Pause{3}7 | ~ # | | | | co_await Pause{3}7 |
// expect: co_await Pause{5}5 | ~ # | | | | co_await Pause{3}7 | co_await Pause{5}5 | xyz6 | ~ # | | | | co_await
// expect: Pause{3}7 | co_await Pause{5}5 | xyz6 | t19 | ~ # | | | | co_await Pause{3}7 | co_await Pause{5}5 | xyz6 |
// expect: t19 | +1 -1 | ~ # | | | | co_await Pause{3}7 | co_await Pause{5}5 | xyz6 | t19 | +1 -1 | +3 | ~ -3 # | | | |
// expect: co_await Pause{3}7 | co_await Pause{5}5 | xyz6 | t19 | +1 -1 | +3 | +4 l7 -4 -3 ~ # alive0
#include "case.hpp"
%:define CALL(x, ...) say(#x, x __VA_OPT__(+) __VA_ARGS__)
VoidJob body(int grüße) <%
  int a<:2:> = <% 1, co_await Pause<%2%> %>;
  if (not (a[0] == 1 and co_await Pause{1}) or false) say("no");
  CALL(co_await Pause{3}, co_await Pause{4});
  CALL(co_await Pause{5});
  int lo\
ng_name = co_await Pause{6};
  say("x" "y" R"(z)", long_name);
  say(u8"" ? "t" : "f", (co_await Pause{1}, 0x1'0) ^ 1 xor 2);
#if 1
  { Trace t(co_await Pause{1}); }
#else
  nonsense
#endif
#define LOCAL(n) Trace(co_await Pause{n}).id
  say("l", LOCAL(3) + LOCAL(4));
#undef LOCAL
%>
int main() { at_each_suspension([] { return body(1); }); }

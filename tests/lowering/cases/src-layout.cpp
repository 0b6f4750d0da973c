// case:   unusual layout: one line, line continuations, tabs, digraphs
// expect: ~ # | ~ # | a1 | ~ # | a1 | i0 | ~ # | a1 | i0 | i1 ~ # alive0 ~ # | ~ # | l2 ~ # alive0 ~ # | ~ # |
// expect: | ~ # | | b5 ~ # alive0
#include "case.hpp"
VoidJob one(){int a=co_await Pause{1};say("a",a);for(int i=0;i<2;++i){co_await Pause{0};say("i",i);}}
VoidJob two() <%
	int list<:2:> = <%1, 2%>;
	say("l",	list<:co_await Pause<%1%>:>);
%>
VoidJob
three
(
)
{
  int \
  b = co_await \
      Pause{2};
  say("b",
      b
      +
      co_await
      Pause
      {
        3
      }
  )
  ;
}
int main() { at_each_suspension(one); at_each_suspension(two); at_each_suspension(three); }

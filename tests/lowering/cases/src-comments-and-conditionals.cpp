// case:   comments, #if and #define inside bodies
// expect: ~ # | ~ # | | ~ # | | a34 | ~ # | | a34 | | ~ # | | a34 | | line27 ~ # alive0
#include "case.hpp"
#define FEATURE 1
VoidJob body(/* no */ int v /* parameter */) {  // a comment { with a brace
  // co_await Pause{9};
  int a = /* before */ co_await /* between */ Pause{1} /* after */;  // trailing )
#if FEATURE
  a += co_await Pause{2};
#else
  a += co_await Pause{100};
#endif
#define LOCAL_MACRO(x) ((x) * 10)
  say("a", LOCAL_MACRO(a) /* } */ + v);
#undef LOCAL_MACRO
  /* a comment
     over { two lines */ co_await Pause{0};
  if (a == 3)  // then
    // a comment between
    co_await Pause{0};
  else /* otherwise */
#ifdef NOT_DEFINED
    say("broken"
#else
    say("no");
#endif
  say("line", __LINE__);
  // the last line
}
int main() { at_each_suspension([] { return body(4); }); }

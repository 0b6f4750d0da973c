// case:   a source that asks by macros if there are coroutines gets the same answer everywhere
// expect: language1 library1 line33 ~ # | ~ # | twice4 ~ # alive0
#if defined(__cpp_impl_coroutine) && __cpp_impl_coroutine >= 201902L
#define LANGUAGE 1
#else
#define LANGUAGE 0
#endif
#include <version>
#ifdef __cpp_lib_coroutine
#define LIBRARY 1
#else
#define LIBRARY 0
#endif
#include "case.hpp"
#if __cpp_lib_coroutine >= 201902L && LANGUAGE
struct Twice {
  int v;
  Pause operator co_await() const { return {2 * v}; }
};
VoidJob body() {
  say("twice", co_await Twice{2});
#if !defined __cpp_impl_coroutine
  say("none");
#endif
}
#else
struct Twice;
VoidJob body();
#endif
int main() {
  say("language", LANGUAGE);
  say("library", LIBRARY);
  say("line", __LINE__);
  at_each_suspension(body);
}

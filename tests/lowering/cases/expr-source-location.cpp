// case:   std::source_location::current() names the user's function and line, wherever it is a default argument
// expect: ~ # body1 body2 body3 | ~ # body1 body2 body3 | body4 | ~ # body1 body2 body3 | body4 | body4 body5 sum13
// expect: body6 body7 body8 body8 | ~ # body1 body2 body3 | body4 | body4 body5 sum13 body6 body7 body8 body8 | call10
// expect: body9 body10 body10 body10 ~ # alive0 ~ # made1 made2 made3 made3 made4 | ~ # made1 made2 made3 made3 made4
// expect: | t4 made6 made6 | ~ # made1 made2 made3 made3 made4 | t4 made6 made6 | l2 ~ # alive0 ~ # Class::member1 | ~
// expect: # Class::member1 | Class::member2 ~ # alive0
#include "case.hpp"
#include <cstring>
#include <source_location>
using where = std::source_location;
static int first = 0;
static int tell(const where& w, const char* function) {
  const char* found = std::strstr(w.function_name(), function);
  say(found && !std::strstr(w.function_name(), "hel_") ? function : w.function_name(), static_cast<int>(w.line()) - first);
  return 1;
}
static int log(const char* name, int n = 2, const where& w = where::current()) { return tell(w, name) + n; }
static int plain(const char* name, const char* function = __builtin_FUNCTION(), int line = __builtin_LINE()) {
  say(std::strcmp(name, function) ? function : name, line - first);
  return 3;
}
struct Logged {
  const char* name;
  Logged(const char* n, where w = where::current()) : name(n) { tell(w, n); }
  explicit Logged(where w = where::current()) : name("") { tell(w, "made"); }
  int operator()(const char* n, int i = 1, where w = where::current()) const { return tell(w, n) + i; }
  int member(where w = where::current()) const { return tell(w, "made"); }
};
VoidJob body() {
  first = __LINE__;
  tell(where::current(), "body");
  log("body");
  co_await Pause{log("body")};
  say("sum", log("body") + co_await Pause{1} + log("body", 5) +
               plain("body"));
  Logged a("body");
  Logged b{"body"};
  say("call", a("body") + co_await Pause{a("body", 7)});
  plain("body");
  if (a("body") > 1) { Logged c("body"); log("body"); }
}
template <class T>
VoidJob made(T t) {
  first = __LINE__;
  tell(where::current(), "made");
  Logged a;
  { Logged b; auto* c = new Logged(); delete c; }
  say("t", a.member() + co_await Pause{t});
  const auto here = [](where w = where::current()) { return tell(w, "made"); };
  say("l", here() + co_await Pause{here()});
}
struct Class {
  VoidJob member() {
    first = __LINE__;
    co_await Pause{log("Class::member")};
    log("Class::member");
  }
};
int main() {
  at_each_suspension(body);
  at_each_suspension([] { return made(3); });
  Class c;
  at_each_suspension([&] { return c.member(); });
}

// case:   __func__ and source_location name the user's function and line
// expect: ~ # func1 | ~ # func1 | | ~ # func1 | | func1 name1 lines3 line4 ~ # alive0
#include "case.hpp"
#include <cstring>
#include <source_location>
static unsigned where(std::source_location l = std::source_location::current()) { return l.line(); }
static const char* who(std::source_location l = std::source_location::current()) { return l.function_name(); }
VoidJob body() {
  const unsigned before = where();
  say("func", std::strcmp(__func__, "body") == 0);
  co_await Pause{1};
  const unsigned after = where() + static_cast<unsigned>(co_await Pause{0});
  say("func", std::strcmp(__func__, "body") == 0);
  say("name", std::strstr(who(), "body") != nullptr);
  say("lines", static_cast<int>(after - before));
  say("line", static_cast<int>(__LINE__ - after));
}
int main() { at_each_suspension(body); }

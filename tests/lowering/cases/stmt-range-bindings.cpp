// case:   range-for with a structured binding
// expect: | k2 | l4 k2 | l4 |
#include "case.hpp"
#include <map>
#include <string>
VoidJob body() {
  std::map<std::string, int> m{{"k", 1}, {"l", 2}};
  for (auto& [key, value] : m) { co_await Pause{0}; value *= 2; say(key.c_str(), value); }
  for (const auto& [key, value] : m) { say(key.c_str(), value); co_await Pause{0}; }
}
int main() { VoidJob j = body(); j.run(); }

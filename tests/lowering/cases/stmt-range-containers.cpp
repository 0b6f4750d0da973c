// case:   range-for over containers, nested, with break
// expect: | x1 | | w1 | w2 | w3 | a | b | c | k1 | l2
#include "case.hpp"
#include <map>
#include <string>
#include <vector>
VoidJob body() {
  std::vector<int> v{1, 2, 3};
  for (int x : v) { co_await Pause{0}; if (x == 2) break; say("x", x); }
  std::vector<std::vector<int>> w{{1}, {2, 3}};
  for (const auto& row : w)
    for (auto x : row) { co_await Pause{0}; say("w", x); }
  for (char c : std::string("abc")) { co_await Pause{0}; std::printf("%c ", c); }
  std::map<std::string, int> m{{"k", 1}, {"l", 2}};
  for (const auto& e : m) { co_await Pause{0}; say(e.first.c_str(), e.second); }
}
int main() { VoidJob j = body(); j.run(); }

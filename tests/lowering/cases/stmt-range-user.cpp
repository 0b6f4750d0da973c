// case:   range-for with iterators of user types, a sentinel, and begin/end found by their namespace
// expect: ~ # +1 | ~ -1 # +1 | x1 | ~ -1 # +1 | x1 | x2 -1 begin | ~ # +1 | x1 | x2 -1 begin | y5 | ~ # +1 |
// expect: x1 | x2 -1 begin | y5 | y6 begin | ~ # +1 | x1 | x2 -1 begin | y5 | y6 begin | z6 | ~ # +1 | x1 | x2
// expect: -1 begin | y5 | y6 begin | z6 | z7 ~ # alive0
#include "case.hpp"
struct Sentinel {};
struct Iterator {
  int n;
  Trace t{n};
  int operator*() const { return n; }
  Iterator& operator++() { ++n; return *this; }
  bool operator!=(Sentinel) const { return n < 3; }
};
struct Counted {
  Iterator begin() const { return {1}; }
  Sentinel end() const { return {}; }
};
namespace other {
struct Bag { int data[2]{5, 6}; };
inline int* begin(Bag& b) { say("begin"); return b.data; }
inline int* end(Bag& b) { return b.data + 2; }
}
VoidJob body() {
  for (int x : Counted{}) { co_await Pause{0}; say("x", x); }
  other::Bag bag;
  for (int& x : bag) { co_await Pause{0}; say("y", x++); }
  for (auto x : bag) { co_await Pause{0}; say("z", x); }
}
int main() { at_each_suspension(body); }

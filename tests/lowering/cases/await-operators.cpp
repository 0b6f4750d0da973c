// case:   member and free operator co_await, also of temporaries and const objects
// expect: ~ # +1 lvalue | ~ -1 # +1 lvalue | a1 +2 rvalue | ~ -2 -1 # +1 lvalue | a1 +2 rvalue | b12 -2 rvalue
// expect: | ~ -1 # +1 lvalue | a1 +2 rvalue | b12 -2 rvalue | c11 +3 lvalue | ~ -3 -1 # +1 lvalue | a1 +2
// expect: rvalue | b12 -2 rvalue | c11 +3 lvalue | d3 free | ~ -3 -1 # +1 lvalue | a1 +2 rvalue | b12 -2
// expect: rvalue | c11 +3 lvalue | d3 free | e4 | ~ -3 -1 # +1 lvalue | a1 +2 rvalue | b12 -2 rvalue | c11 +3
// expect: lvalue | d3 free | e4 | f5 -3 -1 ~ # alive0
#include "case.hpp"
struct Member {
  int v;
  Trace t{v};
  auto operator co_await() const& { say("lvalue"); return Pause{v}; }
  auto operator co_await() && { say("rvalue"); return Pause{v + 10}; }
};
namespace far_away {
struct Free { int v; };
inline Pause operator co_await(const Free& f) { say("free"); return {f.v}; }
}
struct Convertible { operator far_away::Free() const { return {9}; } };
struct Reference {
  Pause p;
  Pause& operator co_await() { return p; }
};
VoidJob body() {
  Member m{1};
  say("a", co_await m);
  say("b", co_await Member{2});
  say("c", co_await std::move(m));
  const Member c{3};
  say("d", co_await c);
  say("e", co_await far_away::Free{4});
  Reference r{{5}};
  say("f", co_await r);
}
int main() { at_each_suspension(body); }

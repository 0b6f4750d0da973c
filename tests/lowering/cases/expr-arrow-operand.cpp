// case:   an object's operator-> before a suspension in the same call: a chain of them, a temporary, a member
// expect: ~ # +1 -> | ~ -1 # +1 -> | a2 ->> -> | ~ -1 # +1 -> | a2 ->> -> | b3 +5 | ~ -5 -1 # +1 -> | a2 ->> -> | b3
// expect: +5 | -> c9 -5 | ~ -1 # +1 -> | a2 ->> -> | b3 +5 | -> c9 -5 | -> -> | ~ -4 # +1 -> | a2 ->> -> | b3 +5 | ->
// expect: c9 -5 | -> -> | -> d13 -> | ~ -4 # +1 -> | a2 ->> -> | b3 +5 | -> c9 -5 | -> -> | -> d13 -> | e10 -4 ~ #
// expect: alive0
#include "case.hpp"
struct Ptr {
  Trace* p;
  Trace* operator->() const { say("->"); return p; }
};
struct Outer {
  Ptr p;
  Ptr operator->() const { say("->>"); return p; }
};
struct Owner {
  Trace own;
  explicit Owner(int i) : own(i) {}
  Trace* operator->() { return &own; }
};
struct Holder { Ptr p; };
VoidJob body() {
  Trace t(1);
  Ptr p{&t};
  say("a", p->plus(co_await Pause{1}));
  Outer o{p};
  say("b", o->plus(co_await Pause{2}));
  say("c", Owner(5)->plus(co_await Pause{3}) + p->id);
  p->id = co_await Pause{4};
  Holder h{p};
  say("d", h.p->plus(co_await Pause{5}) + (&h)->p->id);
  say("e", p.operator->()->plus(co_await Pause{6}));
}
int main() { at_each_suspension(body); }

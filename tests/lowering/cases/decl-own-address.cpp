// case:   a variable whose address its own initializer takes before a suspension
// expect: ~ # | ~ # | made1 w1 gone1 | ~ # | made1 w1 gone1 | | ~ # | made1 w1 gone1 | | +4 k1 -4 ~ # alive0
#include "case.hpp"
struct Self {
  Self* self;
  int n;
  Self(Self* s, int k) : self(s), n(k) { say("made", self == this); }
  ~Self() { say("gone", self == this); }
};
struct Node { Node* next; Trace t; int n; };
VoidJob body() {
  {
    Self w(&w, co_await Pause{1});
    say("w", w.n);
  }
  int n = (co_await Pause{2}, 3);
  Node k{&k, Trace(co_await Pause{4}), n};
  say("k", k.next == &k);
}
int main() { at_each_suspension(body); }

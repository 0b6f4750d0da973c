// case:   new and delete with awaited operands
// expect: | +1 t1 -1 | n5 | alive0
#include "case.hpp"
struct Node { int a, b; };
VoidJob body() {
  Trace* t = new Trace(co_await Pause{1});
  say("t", t->id);
  delete t;
  Node* n = new Node{co_await Pause{2}, 3};
  say("n", n->a + n->b);
  delete co_await PauseFor<Node*>{n};
}
int main() { { VoidJob j = body(); j.run(); } say("alive", Trace::alive); }

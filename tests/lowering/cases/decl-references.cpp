// case:   references to locals, parameters, members and awaited objects
// expect: | | | a11 l13 local35 out11
#include "case.hpp"
struct Box { int a = 1; int list[2] = {2, 3}; };
VoidJob body(Box& box, Box copy) {
  int& a = box.a;
  int (&list)[2] = copy.list;
  const Box& view = box;
  int local = 5;
  int& alias = local;
  int*& pointer = *new int*(&local);
  co_await Pause{0};
  a += 10; list[1] += 10; alias += 10; *pointer += 10;
  int& awaited = co_await PauseRef<int>{local};
  co_await Pause{0};
  awaited += 10;
  say("a", view.a);
  say("l", copy.list[1]);
  say("local", local);
  delete &pointer;
}
int main() { Box b; VoidJob j = body(b, b); j.run(); say("out", b.a); }

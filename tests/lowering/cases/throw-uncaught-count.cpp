// case:   destructors see the right uncaught_exceptions()
// expect: | n0 | n0 n0 # | n0 | n1 n1 unhandled # | n0 n0
#include "case.hpp"
struct Sees {
  ~Sees() { say("n", std::uncaught_exceptions()); }
};
VoidJob body(bool fail) {
  Sees a;
  { Sees b; co_await Pause{0}; }
  { Sees c; co_await Pause{0}; if (fail) throw 1; }
}
int main() {
  { VoidJob j = body(false); j.run(); }
  say("#");
  { VoidJob j = body(true); j.run(); }
  say("#");
  { VoidJob j = body(true); j.step(); }
}

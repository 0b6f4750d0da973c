// case:   delete of an awaited pointer
// expect: +1 | -1 deleted
#include "case.hpp"
VoidJob body(Trace* t) {
  delete co_await PauseFor<Trace*>{t};
  say("deleted");
}
int main() { VoidJob j = body(new Trace(1)); j.run(); }

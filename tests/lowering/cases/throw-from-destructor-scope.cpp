// case:   a destructor that throws at the end of a scope
// expect: +1 +5 | ~T2 -5 -1 unhandled done1
#include "case.hpp"
struct Throwing {
  int n;
  ~Throwing() noexcept(false) { say("~T", n); if (n == 2) throw n; }
};
VoidJob body() {
  Trace a(1);
  {
    Trace b(5);
    Throwing t{2};
    co_await Pause{0};
  }
  say("no");
}
int main() { VoidJob j = body(); j.run(); say("done", j.h.done()); }

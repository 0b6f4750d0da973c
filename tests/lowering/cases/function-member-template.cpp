// case:   members of class templates and member templates
// expect: | get2 | get5 | add2
#include "case.hpp"
template <class T>
struct Holder {
  T v;
  VoidJob get() { T c = v; co_await Pause{0}; say("get", static_cast<int>(c + v)); }
  template <class U> VoidJob add(U u) { auto s = v + u; co_await Pause{0}; say("add", static_cast<int>(s)); }
};
int main() {
  Holder<int> a{1};
  Holder<double> b{2.5};
  { VoidJob j = a.get(); j.run(); }
  { VoidJob j = b.get(); j.run(); }
  { VoidJob j = a.add(1.5); j.run(); }
}

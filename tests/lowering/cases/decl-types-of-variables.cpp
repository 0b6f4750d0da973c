// case:   local types and aliases made of the types of variables, parameters and expressions
// expect: +1 | sizes9 | sizes3 | pack16 count9 -1
#include <utility>
#include "case.hpp"
struct Pair { int a; char b; Trace* t; };
template <class T>
VoidJob generic(T t, Pair* p) {
  auto twice = std::pair{t, t};
  using Both = decltype(twice);
  using First = decltype(twice.first);
  struct Kept { Both both; decltype(p->b) c; decltype(t) one; };
  Kept k{twice, 'c', t};
  co_await Pause{0};
  First f = k.both.first;
  say("sizes", static_cast<int>(sizeof(f) + sizeof(k.c) + sizeof(k.one)));
}
VoidJob plain(Pair p, const Pair& r, int (*f)(int)) {
  int list[] = {p.a, 2, 3};
  using Element = decltype(list[0]);
  using Result = decltype(f(p.a));
  struct Pack {
    decltype(p.a) n;
    decltype(r.b) c;
    char room[sizeof list];
    int get() const { return n + static_cast<int>(sizeof(room)); }
  };
  enum { count = sizeof(list) / sizeof(list[0]) };
  Element e = list[1];
  Pack pack{p.a, r.b, {}};
  e += co_await Pause{1};
  Result result = f(list[1]);
  say("pack", pack.get());
  say("count", count + result);
}
int main() {
  Trace t(1);
  Pair p{4, 'x', &t};
  generic(1, &p).run();
  generic('1', &p).run();
  plain(p, p, [](int n) { return 2 * n; }).run();
}

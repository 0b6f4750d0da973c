// case:   new of an array whose elements suspend: what there is goes again, in reverse, then the memory
// expect: ~ # | ~ # | +1 | ~ -1 # | +1 | +2 a12 +3 | ~ -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | ~ -90 -4 -3 -2 -1 #
// expect: | +1 | +2 a12 +3 | +4 +90 b90 | | ~ -90 -4 -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 | ~ -90 -4
// expect: -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | ~ delete1 -90 -4 -3 -2 -1 # | +1 | +2
// expect: a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | w1 w1 | ~ x11 x10 delete1 -90 -4 -3 -2 -1 # | +1 | +2 a12
// expect: +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | w1 w1 | +1 +2 | ~ -2 -1 x11 x10 delete1 -90 -4 -3 -2 -1 # | +1
// expect: | +2 a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | w1 w1 | +1 +2 | +3 +90 f93 | ~ -90 -3 -2 -1 x11 x10
// expect: delete1 -90 -4 -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | w1 w1 | +1 +2 | +3 +90
// expect: f93 | | ~ -90 -3 -2 -1 x11 x10 delete1 -90 -4 -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9
// expect: +0 d0 | w1 w1 | +1 +2 | +3 +90 f93 | | g15 +21 +22 | ~ -22 -21 -90 -3 -2 -1 x11 x10 delete1 -90 -4 -3 -2 -1
// expect: # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 | +8 +9 +0 d0 | w1 w1 | +1 +2 | +3 +90 f93 | | g15 +21 +22 |
// expect: t233 -22 -21 | ~ -90 -3 -2 -1 x11 x10 delete1 -90 -4 -3 -2 -1 # | +1 | +2 a12 +3 | +4 +90 b90 | | c18 new1 |
// expect: +8 +9 +0 d0 | w1 w1 | +1 +2 | +3 +90 f93 | | g15 +21 +22 | t233 -22 -21 | o1 -90 -3 -2 -1 x11 x10 delete1
// expect: -90 -4 -3 -2 -1 ~ # alive0 ~ # | ~ # | +1 | ~ -1 # | +1 | +2 a12 +3 | ~ -3 -2 -1 # | +1 | +2 a12 +3 | +13
// expect: -13 -3 -2 -1 caught13 ~ # alive0 ~ # | ~ # | +1 | ~ -1 # | +1 | +2 a12 +3 | ~ -3 -2 -1 # | +1 | +2 a12 +3 |
// expect: +13 -13 -3 -2 -1 caught13 ~ # alive0 ~ # length ~ # alive0
#include "case.hpp"
#include <new>
struct Element : Trace {
  Element(int i = 90) : Trace(i) { if (i == 13) throw i; }
};
struct Counted {  // the class's own functions; the second is told the size
  int id;
  Counted(int i = 0) : id(i) { say("+", id); }
  static inline bool complete = false;  // Clang leaks what new has not finished when it is destroyed
  static void* operator new[](std::size_t n) { say("new", n > 3 * sizeof(int)); return ::operator new[](n); }
  static void operator delete[](void* p, std::size_t n) { if (complete) say("delete", n == 3 * sizeof(int) + sizeof(std::size_t)); ::operator delete[](p); }
};
struct alignas(64) Wide {
  int id;
  Wide(int i) : id(i) { say("w", reinterpret_cast<std::size_t>(this) % 64 == 0); }
  ~Wide() { say("x", id); }
};
struct Point { int x, y = 5; };
template <class T>
struct Owner {  // deletes what it was given
  T* p;
  ~Owner() { delete[] p; }
  T& operator[](int i) const { return p[i]; }
};
static int sum(const Owner<Element>& o, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s = s * 10 + o[i].id;
  return s;
}
VoidJob body(int n) {
  Counted::complete = false;
  try {
    Owner<Element> a{new Element[2]{Element(co_await Pause{1}), co_await Pause{2}}};
    say("a", sum(a, 2));
    Owner<Element> b{new Element[static_cast<unsigned>(n)]{3, co_await Pause{n == 3 ? 4 : 13}}};
    say("b", b[n - 1].id);
    Owner<int> c{new int[]{co_await Pause{5}, 6, co_await Pause{7}}};
    say("c", c[0] + c[1] + c[2]);
    Owner<Counted> d{new Counted[3]{co_await Pause{8}, 9}};
    say("d", d[2].id), Counted::complete = true;
    Owner<Wide> e{new Wide[2]{co_await Pause{10}, 11}};
    Owner<Element[2]> f{new Element[2][2]{{co_await Pause{1}, 2}, {co_await Pause{3}}}};
    say("f", f[1][0].id + f[1][1].id);
    Owner<Point> g{new Point[static_cast<unsigned>(n)]{{co_await Pause{1}, 2}, {co_await Pause{3}}}};
    say("g", g[0].y + g[1].x + g[1].y + g[2].y);
    say("t", sum(Owner<Element>{new Element[2]{Element(21), 22}}, 2) + co_await Pause{1});
    say("o", (n > 3 ? sum(Owner<Element>{new Element[2]{31, co_await Pause{32}}}, 2) : 0) + co_await Pause{1});
  } catch (int i) { say("caught", i); }
}
VoidJob too_few(int n) {
  try {
    Owner<Element> a{new Element[static_cast<unsigned>(n)]{co_await Pause{1}, 2}};
    say("not");
  } catch (const std::bad_alloc&) { say("length"); }
}
int main() {
  at_each_suspension([] { return body(3); });
  at_each_suspension([] { return body(4); });
  at_each_suspension([] { return body(2); });
  at_each_suspension([] { return too_few(1); });
}

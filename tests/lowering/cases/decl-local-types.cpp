// case:   local classes, enumerations, aliases and declarations in scopes
// expect: | | p3 | p7 | z9 k28 d1
#include "case.hpp"
#include <vector>
namespace far_away { inline int value() { return 7; } enum class Flag { on, off }; }
VoidJob body() {
  struct Point {
    int x, y;
    int sum() const { return x + y; }
    static int zero() { return 0; }
  };
  enum Kind { first = 3, second };
  enum class Level { low, high };
  using Points = std::vector<Point>;
  typedef int Number;
  namespace fa = far_away;
  using far_away::value;
  using enum far_away::Flag;
  static_assert(sizeof(Point) == 2 * sizeof(int));
  int declared(int);
  Points all{{1, 2}, {3, 4}};
  Kind k = first;
  Level l = Level::high;
  Number n = 5;
  far_away::Flag flag = off;
  co_await Pause{0};
  for (const Point& p : all) { co_await Pause{0}; say("p", p.sum() + Point::zero()); }
  {
    struct Point { int z; } inner{9};
    co_await Pause{0};
    say("z", inner.z);
  }
  say("k", k + static_cast<int>(l) + n + fa::value() + value() + (flag == off) + second);
  say("d", declared(1));
}
int declared(int v) { return v; }
int main() { VoidJob j = body(); j.run(); }

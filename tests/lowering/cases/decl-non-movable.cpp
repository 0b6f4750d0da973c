// case:   locals that can be neither moved nor assigned nor default-constructed
// expect: ~ # F1 | ~ ~F1 # F1 | | ~ ~F1 # F1 | | F2 F3 | ~ ~F3 ~F2 ~F1 # F1 | | F2 F3 | sum13 ~F3 ~F2 ~F1 ~ #
// expect: alive0
#include "case.hpp"
#include <atomic>
#include <mutex>
#include <optional>
struct Fixed {
  const int v;
  int& r;
  Fixed(int x, int& y) : v(x), r(y) { say("F", v); }
  Fixed(Fixed&&) = delete;
  ~Fixed() { say("~F", v); }
};
VoidJob body() {
  int n = 1;
  Fixed a(1, n);
  std::mutex m;
  std::atomic<int> count{5};
  {
    std::lock_guard<std::mutex> lock(m);
    co_await Pause{0};
    ++count;
  }
  Fixed b{co_await Pause{2}, n};
  std::optional<Fixed> c;
  c.emplace(3, n);
  co_await Pause{0};
  say("sum", a.v + b.v + c->v + count + b.r);
}
int main() { at_each_suspension(body); }

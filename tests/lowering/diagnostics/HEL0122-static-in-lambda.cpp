#include "job.hpp"
int load();
job body() {
  static int known = load();
  static int counted = 3;
  auto look = [](int k) { return known + counted + k; };
  struct local { int get() { return known + counted; } };
  local l;
  co_await wait{1};
  co_await wait{look(1) + l.get()};
}

// error: HEL0122 6:34
// error: HEL0122 7:37

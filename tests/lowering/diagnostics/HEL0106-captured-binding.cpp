#include "job.hpp"
struct pair { int a, b; };
job body() {
  auto [a, b] = pair{1, 2};
  auto f = [=]() -> job { co_await wait{a + b}; };
  f();
  co_await wait{3};
}

// error: HEL0106 5:41
// error: HEL0106 5:45

#include "job.hpp"
struct pair { int a, b; };
int main() {
  auto [a, b] = pair{1, 2};
  auto f = [a, &b]() -> job { co_await wait{a + b}; };
  f();
}

// error: HEL0106 5:13
// error: HEL0106 5:17

#include "job.hpp"
template <class F>
job run(F f) {
  if constexpr (sizeof(F) > 1) co_await wait{1};
  co_await wait{f()};
}
int main() {
  int n = 2;
  run([] { return 1; });
  run([n] { return n; });
}

// error: HEL0102 3:5

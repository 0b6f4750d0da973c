#include "job.hpp"
template <class F>
job run(F f) {
  auto result = f(co_await wait{1});
  co_await wait{2};
  co_await wait{static_cast<int>(result)};
}
int main() {
  run([](auto n) { return n; });
  run([](auto n) { return n + 1L; });
}

// error: HEL0102 3:5

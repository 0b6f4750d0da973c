#include "job.hpp"
job body() {
  auto make = [](auto n) { return [n]() -> job { co_await wait{static_cast<int>(n)}; }; };
  make(1)();
  co_await wait{3};
}

// error: HEL0107 3:35

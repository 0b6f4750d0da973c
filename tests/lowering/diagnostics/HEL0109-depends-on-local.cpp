#include "job.hpp"
job body(int v) {
  int list[] = {v, 2};
  constexpr int size = sizeof(list);
  co_await wait{size};
}

// error: HEL0109 4:3

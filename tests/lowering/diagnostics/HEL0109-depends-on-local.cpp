#include "job.hpp"
job body(int v) {
  int list[] = {v, 2};
  using element = decltype(list[0]);
  element e = list[1];
  co_await wait{e};
}

// error: HEL0109 4:3

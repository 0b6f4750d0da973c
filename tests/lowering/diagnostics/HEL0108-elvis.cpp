#include "job.hpp"
job body() {
  int v = co_await wait{1} ?: 2;
  co_await wait{v};
}

// error: HEL0108 3:11

#include "job.hpp"
job body() {
  alignas(64) int v = 1;
  co_await wait{v};
}

// error: HEL0108 3:19

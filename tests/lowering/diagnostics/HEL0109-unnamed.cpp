#include "job.hpp"
job body() {
  struct { int v; } x{1};
  co_await wait{x.v};
}

// error: HEL0109 3:3

#include "job.hpp"
job body() {
  static int once = co_await wait{1};
  co_await wait{once};
}

// error: HEL0104 3:14

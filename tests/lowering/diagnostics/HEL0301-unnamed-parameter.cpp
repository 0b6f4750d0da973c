#include "job.hpp"
#define PARAMETERS int, long
job body(PARAMETERS) {
  co_await wait{1};
}

// error: HEL0301 3:10

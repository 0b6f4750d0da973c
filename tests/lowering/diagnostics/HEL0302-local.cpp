#include "job.hpp"
job body() {
  int hel_index = 1;
  co_await wait{hel_index};
}

// error: HEL0302 2:5

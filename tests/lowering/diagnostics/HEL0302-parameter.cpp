#include "job.hpp"
job body(int hel_f) {
  co_await wait{hel_f};
}

// error: HEL0302 2:5

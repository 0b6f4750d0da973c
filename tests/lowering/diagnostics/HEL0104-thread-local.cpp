#include "job.hpp"
job body() {
  if (true) {
    thread_local int mine = 1 + co_await wait{1};
    co_await wait{mine};
  }
}

// error: HEL0104 4:22

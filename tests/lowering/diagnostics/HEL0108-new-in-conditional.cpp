#include "job.hpp"
job body(bool c) {
  int* p = c ? new int(co_await wait{1}) : nullptr;
  delete p;
}

// error: HEL0108 3:16

#include "job.hpp"
job body() {
  int* p = new int(co_await wait{1});
  delete p;
}

// error: HEL0108 3:12

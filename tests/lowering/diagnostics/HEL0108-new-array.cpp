#include "job.hpp"
job body() {
  int* p = new int[2]{co_await wait{1}, 2};
  delete[] p;
}

// error: HEL0108 3:12

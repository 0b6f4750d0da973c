#include "job.hpp"
void at_end(int*);
job body() {
  { int inside __attribute__((cleanup(at_end))) = 1; (void)inside; }  // stays as it is
  int kept __attribute__((cleanup(at_end))) = 2;
  co_await wait{kept};
}

// error: HEL0123 5:7

#include <alloca.h>
#include "job.hpp"
job body() {
  char* p = static_cast<char*>(alloca(16));
  co_await wait{p[0] = 1};
}

// error: HEL0110 4:32

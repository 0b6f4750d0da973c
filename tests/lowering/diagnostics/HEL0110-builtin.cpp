#include "job.hpp"
job body() {
  void* p = __builtin_alloca(16);
  co_await wait{p != nullptr};
}

// error: HEL0110 3:13

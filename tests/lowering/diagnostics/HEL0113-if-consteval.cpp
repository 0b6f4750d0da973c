// flags: -std=c++23
#include "job.hpp"
job body() {
  if consteval { co_await wait{1}; } else { co_await wait{2}; }
}

// error: HEL0113 4:3

#include "job.hpp"
#define BODY { co_await wait{1}; }
job body() BODY

// error: HEL0301 3:5

#include "job.hpp"
struct bits { int a : 4, b : 4; };
job body(bits& x) {
  (co_await wait{1} ? x.a : x.b) = 3;
}

// error: HEL0117 4:23
// error: HEL0117 4:29

#include "job.hpp"
struct two { object a, b; };
job body(bool c) {
  two t = c ? two{object(co_await wait{1}), object(2)} : two{};
  co_await wait{t.a.n};
}

// error: HEL0108 4:19
// error: HEL0108 4:45
// error: HEL0108 4:62

#include "job.hpp"
struct flags {
  object o;
  const int low : 3;
};
job body() {
  flags f{object(co_await wait{1}), 2};
  co_await wait{f.low};
}

// error: HEL0112 7:37

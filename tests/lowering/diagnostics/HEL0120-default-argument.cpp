#include "job.hpp"
int use(int a, const object& o = object(1));
job body() {
  co_await wait{use(co_await wait{1}) + co_await wait{2}};
}

// error: HEL0120 4:17

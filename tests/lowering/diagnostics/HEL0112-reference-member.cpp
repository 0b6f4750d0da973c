#include "job.hpp"
struct view {
  object o;
  const int& r;
};
job body(int n) {
  view v{object(co_await wait{1}), n};
  co_await wait{v.r};
}

// error: HEL0112 7:36

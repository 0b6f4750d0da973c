#include "job.hpp"
struct options {
  object o;
  object p = object(2);
};
job body() {
  options x{object(co_await wait{1})};
  co_await wait{x.p.n};
}

// error: HEL0112 7:37

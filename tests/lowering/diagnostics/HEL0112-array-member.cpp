#include "job.hpp"
struct row {
  object o;
  object list[2];
};
job body() {
  row r{object(co_await wait{1}), {object(1), object(2)}};
  co_await wait{r.o.n};
}

// error: HEL0112 7:35

#include "job.hpp"
union either {
  object o;
  int n;
  ~either() {}
};
job body() {
  either e{object(co_await wait{1})};
  co_await wait{e.o.n};
}

// error: HEL0112 8:11

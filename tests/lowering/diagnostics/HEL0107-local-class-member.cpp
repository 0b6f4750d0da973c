#include "job.hpp"
job body() {
  struct inner {
    job work() { co_await wait{1}; }
  };
  inner i;
  i.work();
  co_await wait{2};
}

// error: HEL0107 4:9

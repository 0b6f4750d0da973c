#include "job.hpp"
job body() {
  int v = ({ int t = co_await wait{1}; t + 1; });
  co_await wait{v};
}

// error: HEL0105 3:11

#include "job.hpp"
struct owner {
  int v = 1;
  job body() {
    auto f = [*this] { return v; };
    co_await wait{f()};
  }
};

// error: HEL0114 5:15

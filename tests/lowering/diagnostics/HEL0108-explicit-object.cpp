// flags: -std=c++23
#include "job.hpp"
struct s {
  int f(this s self, int v) { return v; }
};
job body() {
  s o;
  co_await wait{o.f(1)};
}

// error: HEL0108 8:19

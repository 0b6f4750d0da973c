#include "job.hpp"
struct options {
  object o;
  int n = [] { return 3; }();
  object p;
};
job body() {
  options o{.o = object(1), .p = object(co_await wait{1})};
  co_await wait{o.n};
}

// error: HEL0112 8:12

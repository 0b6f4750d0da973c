#include "job.hpp"
struct base { int a; };
struct derived : base { object o; };
job body() {
  derived d{{1}, object(co_await wait{1})};
  co_await wait{d.a};
}

// error: HEL0112 5:12

#include "job.hpp"
#include <cstddef>
struct region {
  int n;
  explicit region(int v) : n(v) {}
  region(const region& o) : n(o.n) {}
};
void* operator new(std::size_t n, region r);
void operator delete(void*, region r);
job body() {
  int* p = new (region(3)) int(co_await wait{1});
  delete p;
}

// error: HEL0108 11:17

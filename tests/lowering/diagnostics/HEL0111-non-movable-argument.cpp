#include "job.hpp"
struct fixed {
  int v;
  explicit fixed(int n) : v(n) {}
  fixed(fixed&&) = delete;
};
int use(fixed f, int n);
job body() {
  use(fixed(1), co_await wait{2});
}

// error: HEL0111 9:7

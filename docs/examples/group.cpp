// A task of 32 lanes, and a call of the host from within a task.
#include <cstdio>
#include <cstdlib>

#include "hel/hel.hpp"

HEL_TASK hel::warp_task<int> dot(const int* a, const int* b) {
  int sum = a[hel::lane()] * b[hel::lane()];
  for (unsigned d = hel::warp_size / 2; d > 0; d /= 2) sum += hel::shfl_down(sum, d);
  co_return sum;  // lane 0's counts
}

struct parse {
  int operator()(const char* text) const { return std::atoi(text); }  // on a host thread: it may block
};
HEL_HOST_FUNCTION(parse);

HEL_TASK hel::task<int> scaled(const char* factor) {
  int a[hel::warp_size], b[hel::warp_size];
  for (unsigned i = 0; i < hel::warp_size; ++i) a[i] = b[i] = static_cast<int>(i);
  int k = co_await hel::host(parse{}, factor);
  co_return k* co_await hel::warp(dot, &a[0], &b[0]);
}

int main() {
  hel::runtime rt;
  std::printf("%d\n", rt.launch(scaled, "3").get());
}

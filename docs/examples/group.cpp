// Tasks of 32 lanes and of a block, and a call of the host from within a task.
#include <cstdio>
#include <cstdlib>

#include "hel/hel.hpp"

HEL_TASK hel::warp_task<int> dot(const int* a, const int* b) {
  int sum = a[hel::lane()] * b[hel::lane()];
  for (unsigned d = hel::warp_size / 2; d > 0; d /= 2) sum += hel::shfl_down(sum, d);
  co_return sum;  // lane 0's counts
}

HEL_HD int max_of(int a, int b) { return a < b ? b : a; }

HEL_TASK hel::block_task<int> longest_run(const int* a, int n) {
  hel::shared<int[8]> best;
  int mine = 0;
  for (int i = static_cast<int>(hel::thread_rank()), j = i; i < n; i += static_cast<int>(hel::block_size()), j = i) {
    while (j < n && a[j] == a[i]) ++j;
    mine = max_of(mine, j - i);
  }
  for (unsigned d = hel::warp_size / 2; d > 0; d /= 2) mine = max_of(mine, hel::shfl_xor(mine, d));
  if (hel::lane() == 0) best[hel::warp_rank()] = mine;
  hel::block_sync();
  for (unsigned w = 0; w < hel::block_size() / hel::warp_size; ++w) mine = max_of(mine, best[w]);
  co_return mine;
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

HEL_TASK hel::task<int> longest(const int* a, int n) { co_return co_await hel::block(256, longest_run, a, n); }

int main() {
  hel::runtime rt;
  std::printf("%d\n", rt.launch(scaled, "3").get());
  int a[1000];
  for (int i = 0; i < 1000; ++i) a[i] = i / 7 % 5 == 0 ? 0 : i / 7;
  std::printf("%d\n", rt.launch(longest, &a[0], 1000).get());
}

// block_scan: a task of 256 lanes that adds up 1,000 numbers on the way, each place getting the sum of all before it.
// Warps add with shuffles, the block through shared memory and barriers.
#include <iostream>

#include "hel/hel.hpp"

constexpr unsigned lanes = 256;

// The sum of `value` in this lane and all before it, and in all lanes of the block.
struct sums {
  long up_to_here;
  long total;
};
HEL_TASK hel::block_task<sums> scan(long value) {
  hel::shared<long[lanes / hel::warp_size]> of_warp;
  long sum = value;
  for (unsigned distance = 1; distance < hel::warp_size; distance *= 2) {
    const long before = hel::shfl_up(sum, distance);
    if (hel::lane() >= distance) sum += before;
  }
  if (hel::lane() == hel::warp_size - 1) of_warp[hel::warp_rank()] = sum;
  hel::block_sync();
  long total = 0;
  for (unsigned w = 0; w < lanes / hel::warp_size; ++w) {
    if (w == hel::warp_rank()) sum += total;
    total += of_warp[w];
  }
  hel::block_sync();  // the next scan writes what this one has read
  co_return {sum, total};
}

// Replaces data[i] by data[0] + ... + data[i]; how many of them are odd then. A tile at a time, from dynamic shared
// memory.
HEL_TASK hel::block_task<unsigned> running_sums(long* data, unsigned n) {
  long* const tile = hel::dynamic_shared<long>();
  const unsigned me = hel::thread_rank();
  long before = 0;
  unsigned odd = 0;
  for (unsigned at = 0; at < n; at += lanes) {
    const bool mine = at + me < n;
    tile[me] = mine ? data[at + me] : 0;
    sums s = co_await scan(tile[me]);  // in each lane, as a function is called
    if (mine) data[at + me] = before + s.up_to_here;
    odd += hel::block_sync_count(mine && (before + s.up_to_here) % 2 != 0);
    before += s.total;
    co_await hel::yield();  // the whole block steps aside
  }
  co_return odd;
}

HEL_TASK hel::task<unsigned> run(long* data, unsigned n) {
  co_return co_await hel::block({lanes, lanes * sizeof(long)}, running_sums, data, n);
}

int main() {
  long data[1000];
  for (long i = 0; i < 1000; ++i) data[i] = i + 1;
  hel::runtime rt;
  const unsigned odd = rt.launch(run, &data[0], 1000u).get();
  std::cout << "1 + ... + 100 = " << data[99] << '\n';
  std::cout << "1 + ... + 1000 = " << data[999] << '\n';
  std::cout << "odd sums: " << odd << '\n';
}

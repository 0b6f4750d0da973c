// For ThreadSanitizer: groups whose lanes share memory, with a barrier or without. `lane_races CASE`; prints the
// result.
#include <cstdio>
#include <cstring>
#include <functional>

#include "hel/hel.hpp"

namespace {

enum class kind { correct, missing, other_warp, ahead, suspension };

// Each lane reads what its neighbour has written.
hel::warp_task<int> warp_neighbour(kind k, int (&shared)[32]) {
  const unsigned me = hel::lane();
  shared[me] = static_cast<int>(me);
  if (k == kind::suspension)
    co_await hel::yield();
  else if (k != kind::missing)
    hel::warp_sync();
  const int seen = shared[(me + 1) % 32];
  if (k != kind::ahead) hel::warp_sync();  // else a lane that is ahead writes what others have not read
  shared[me] = seen;
  hel::warp_sync();
  co_return shared[0];
}
hel::task<int> run_warp(kind k) {
  int shared[32];
  int r = co_await hel::warp(warp_neighbour, k, std::ref(shared));
  co_return r;
}

hel::block_task<int> block_neighbour(kind k) {
  hel::shared<int[128]> shared;
  int* const dynamic = hel::dynamic_shared<int>();
  const unsigned me = hel::thread_rank();
  for (unsigned i = 0; i < me / 32; ++i) hel::warp_sync();  // of no help to other warps
  shared[me] = dynamic[me] = static_cast<int>(me);
  switch (k) {
  case kind::missing: break;
  case kind::suspension: co_await hel::yield(); break;
  case kind::other_warp: hel::warp_sync(); break;
  default: hel::block_sync(); break;
  }
  // The last lane of a warp has its neighbour in the next one.
  const int seen = shared[(me + 1) % 128] + dynamic[(me + 1) % 128];
  if (k != kind::ahead) hel::block_sync();
  shared[me] = seen;
  const int all = hel::shfl(seen, 0);  // moves data without any race
  const unsigned odd = hel::block_sync_count(all % 2 != 0);
  co_return shared[0] + static_cast<int>(odd);
}
hel::task<int> run_block(kind k) { co_return co_await hel::block({128, 128 * sizeof(int)}, block_neighbour, k); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const char* const names[] = {"correct", "missing", "other_warp", "ahead", "suspension"};
  for (unsigned i = 0; i < 5; ++i) {
    if (std::strcmp(argv[2], names[i]) != 0) continue;
    hel::runtime rt(hel::cpu{.threads = 2});
    const auto k = static_cast<kind>(i);
    int last = 0;
    for (int round = 0; round < 20; ++round)  // the fibers of one are those of the next
      last = std::strcmp(argv[1], "warp") == 0 ? rt.launch(run_warp, k).get() : rt.launch(run_block, k).get();
    std::printf("%d\n", last);
    return 0;
  }
  return 2;
}

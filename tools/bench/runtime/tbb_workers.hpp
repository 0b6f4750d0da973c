// As many threads of oneTBB's as asked for.
#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace hel_bench {

struct tbb_workers {
  explicit tbb_workers(unsigned threads)
      : limit(tbb::global_control::max_allowed_parallelism, threads), arena(static_cast<int>(threads)) {}
  tbb::global_control limit;
  tbb::task_arena arena;
};

}  // namespace hel_bench

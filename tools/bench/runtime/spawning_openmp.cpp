#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/tally.hpp"

namespace hel_bench {

runner openmp_spawn(const settings& s) {
  return [threads = s.threads](std::uint64_t rounds) {
    reset_tally();
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      for (std::uint64_t i = 0; i < rounds; ++i) {
#pragma omp task untied
        tally();
      }
#pragma omp taskwait
    }
    return tallied();
  };
}

runner openmp_for(const settings& s) {
  return [threads = s.threads](std::uint64_t rounds) {
    reset_tally();
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskloop grainsize(1) untied
    for (std::uint64_t i = 0; i < rounds; ++i) tally();
    return tallied();
  };
}

}  // namespace hel_bench

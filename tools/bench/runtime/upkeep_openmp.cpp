#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/upkeep.hpp"

namespace hel_bench {

double openmp_idle(const settings& s) {
  const unsigned threads = s.threads;
#pragma omp parallel num_threads(threads)
  {}
  return processor_use_while_idle(s.quick);
}

}  // namespace hel_bench

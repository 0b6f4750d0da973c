// The peers' versions of what hel_side.hpp has, each compiled where its library was found.
#pragma once

#include "tools/bench/suite.hpp"

#if defined(HEL_BENCH_HAVE_TBB)
#  define HEL_BENCH_TBB(f) f, {}, ""
#  define HEL_BENCH_TBB_FIGURE(f) {}, f, ""
#else
#  define HEL_BENCH_TBB(f) {}, {}, "no oneTBB when this was built"
#  define HEL_BENCH_TBB_FIGURE(f) HEL_BENCH_TBB(f)
#endif
#if defined(HEL_BENCH_HAVE_OPENMP)
#  define HEL_BENCH_OPENMP(f) f, {}, ""
#  define HEL_BENCH_OPENMP_FIGURE(f) {}, f, ""
#else
#  define HEL_BENCH_OPENMP(f) {}, {}, "no OpenMP when this was built"
#  define HEL_BENCH_OPENMP_FIGURE(f) HEL_BENCH_OPENMP(f)
#endif

namespace hel_bench {

runner tbb_spawn(const settings& s);
runner tbb_for(const settings& s);  // a parallel loop, every turn a task
runner openmp_spawn(const settings& s);
runner openmp_for(const settings& s);

runner tbb_channel(const settings& s);  // a flow graph of a source and a sink
runner tbb_queue(const settings& s);    // a bounded queue between threads that block, four to four

double tbb_idle(const settings& s);
double openmp_idle(const settings& s);

}  // namespace hel_bench

#include "tools/bench/runtime/graphs.hpp"

#include <memory>
#include <string>
#include <utility>

#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/tally.hpp"

namespace hel_bench {

std::uint32_t side_of(std::uint32_t nodes) {
  std::uint32_t side = 1;
  while ((side + 1) * (side + 1) <= nodes) ++side;
  return side;
}

std::uint32_t whole_nodes(shape s, std::uint32_t about) {
  return s == shape::wavefront ? side_of(about) * side_of(about) : about;
}

graph::graph(shape s, std::uint32_t nodes) : size(nodes), first(nodes + 1), waits_for(nodes) {
  const std::uint32_t side = side_of(nodes);
  std::uint32_t before[2];
  for (std::uint32_t i = 0; i < nodes; ++i) {
    waits_for[i] = predecessors(s, side, i, before);
    for (std::uint32_t k = 0; k < waits_for[i]; ++k) ++first[before[k] + 1];
  }
  for (std::uint32_t i = 0; i < nodes; ++i) first[i + 1] += first[i];
  successors.resize(first[nodes]);
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    const std::uint32_t n = predecessors(s, side, i, before);
    for (std::uint32_t k = 0; k < n; ++k) successors[next[before[k]]++] = i;
  }
}

namespace {

// One thread, a counter a node, a stack of those that are ready: the floor.
runner serial_counters(const settings& s, shape of, std::uint32_t nodes) {
  return [threads = s.threads, g = std::make_shared<graph>(of, nodes)](std::uint64_t rounds) {
    std::uint64_t ran = 0;
    for (std::uint64_t r = 0; r < rounds; ++r) {
      std::vector<std::uint32_t> left = g->waits_for, ready;
      ready.reserve(g->size);
      for (std::uint32_t i = g->size; i-- > 0;)
        if (left[i] == 0) ready.push_back(i);
      reset_tally();
      stopwatch watch(threads);
      while (!ready.empty()) {
        const std::uint32_t i = ready.back();
        ready.pop_back();
        tally();
        for (std::uint32_t k = g->first[i]; k < g->first[i + 1]; ++k)
          if (--left[g->successors[k]] == 0) ready.push_back(g->successors[k]);
      }
      watch.stop();
      ran += tallied();
    }
    return ran;
  };
}

template <class F>
std::function<runner(const settings&)> of_shape(F f, shape of, std::uint32_t nodes) {
  return [f, of, nodes](const settings& s) -> runner { return f(s, of, nodes); };
}

}  // namespace

void add_graphs(std::vector<benchmark>& all, const settings& s) {
  const struct {
    shape of;
    const char* name;
    const char* what;
  } shapes[] = {{shape::chain, "graph-chain", "each task waits for the one before"},
                {shape::wide, "graph-wide", "no task waits for another"},
                {shape::wavefront, "graph-wavefront", "a square, each task waits for those above and to the left"}};
  for (const auto& of : shapes) {
    const std::uint32_t nodes = whole_nodes(of.of, s.quick ? 10000 : 1000000);
    benchmark b;
    b.name = of.name;
    b.group = "runtime";
    b.what = std::to_string(nodes) + " tasks, " + of.what + "; running them, not building the graph";
    b.unit = "ns per task";
    b.ours = "hel";
    b.operations = [nodes] { return static_cast<double>(nodes); };
    b.timed = timing::by_the_runners;
    b.checksum = [nodes](std::uint64_t rounds) { return rounds * nodes; };
    b.contenders = {{"hel", of_shape(hel_side::graph_of_tasks, of.of, nodes), {}, ""},
                    {"tbb", HEL_BENCH_TBB(of_shape(tbb_flow_graph, of.of, nodes))},
                    {"tbb-counters", HEL_BENCH_TBB(of_shape(tbb_counters, of.of, nodes))},
                    {"serial", of_shape(serial_counters, of.of, nodes), {}, ""}};
    all.push_back(std::move(b));
  }
}

}  // namespace hel_bench

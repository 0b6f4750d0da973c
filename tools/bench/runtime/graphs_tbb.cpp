#include <deque>
#include <memory>
#include <tbb/flow_graph.h>
#include <tbb/task_group.h>

#include "tools/bench/runtime/graphs.hpp"
#include "tools/bench/runtime/tally.hpp"
#include "tools/bench/runtime/tbb_workers.hpp"

namespace hel_bench {
namespace {

using flow_node = tbb::flow::continue_node<tbb::flow::continue_msg>;

struct flow {
  flow(unsigned threads, shape of, std::uint32_t size) : workers(threads) {
    const graph shape_of_it(of, size);
    workers.arena.execute([&] {
      all = std::make_unique<tbb::flow::graph>();
      for (std::uint32_t i = 0; i < size; ++i)
        nodes.emplace_back(*all, [](const tbb::flow::continue_msg&) { tally(); });
      for (std::uint32_t i = 0; i < size; ++i) {
        for (std::uint32_t k = shape_of_it.first[i]; k < shape_of_it.first[i + 1]; ++k)
          tbb::flow::make_edge(nodes[i], nodes[shape_of_it.successors[k]]);
        if (shape_of_it.waits_for[i] == 0) sources.push_back(&nodes[i]);
      }
    });
  }

  tbb_workers workers;
  std::unique_ptr<tbb::flow::graph> all;
  std::deque<flow_node> nodes;  // which go before their graph
  std::vector<flow_node*> sources;
};

struct counted {
  counted(unsigned threads, shape of, std::uint32_t size)
      : workers(threads), nodes(of, size), left(std::make_unique<std::atomic<std::uint32_t>[]>(size)) {}

  // Runs node i and what becomes ready by it: one successor at once, the others as tasks.
  void run(tbb::task_group& group, std::uint32_t i) {
    constexpr std::uint32_t none = ~0U;
    while (i != none) {
      tally();
      std::uint32_t next = none;
      for (std::uint32_t k = nodes.first[i]; k < nodes.first[i + 1]; ++k) {
        const std::uint32_t successor = nodes.successors[k];
        if (left[successor].fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        if (next != none) group.run([this, &group, next] { run(group, next); });
        next = successor;
      }
      i = next;
    }
  }

  tbb_workers workers;
  graph nodes;
  std::unique_ptr<std::atomic<std::uint32_t>[]> left;
};

}  // namespace

runner tbb_flow_graph(const settings& s, shape of, std::uint32_t nodes) {
  return [threads = s.threads, f = std::make_shared<flow>(s.threads, of, nodes)](std::uint64_t rounds) {
    return f->workers.arena.execute([&] {
      std::uint64_t ran = 0;
      for (std::uint64_t r = 0; r < rounds; ++r) {
        reset_tally();
        stopwatch watch(threads);
        for (flow_node* n : f->sources) n->try_put({});
        f->all->wait_for_all();
        watch.stop();
        ran += tallied();
      }
      return ran;
    });
  };
}

runner tbb_counters(const settings& s, shape of, std::uint32_t nodes) {
  return [threads = s.threads, c = std::make_shared<counted>(s.threads, of, nodes)](std::uint64_t rounds) {
    return c->workers.arena.execute([&] {
      std::uint64_t ran = 0;
      for (std::uint64_t r = 0; r < rounds; ++r) {
        for (std::uint32_t i = 0; i < c->nodes.size; ++i)
          c->left[i].store(c->nodes.waits_for[i], std::memory_order_relaxed);
        reset_tally();
        stopwatch watch(threads);
        tbb::task_group group;
        for (std::uint32_t i = 0; i < c->nodes.size; ++i)
          if (c->nodes.waits_for[i] == 0) group.run([&c, &group, i] { c->run(group, i); });
        group.wait();
        watch.stop();
        ran += tallied();
      }
      return ran;
    });
  };
}

}  // namespace hel_bench

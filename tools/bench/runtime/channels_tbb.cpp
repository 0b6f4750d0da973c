#include <tbb/concurrent_queue.h>
#include <tbb/flow_graph.h>
#include <thread>
#include <vector>

#include "tools/bench/runtime/channels.hpp"
#include "tools/bench/runtime/peers.hpp"
#include "tools/bench/runtime/tbb_workers.hpp"

namespace hel_bench {

runner tbb_channel(const settings&) {
  return [w = std::make_shared<tbb_workers>(2)](std::uint64_t rounds) {
    return w->arena.execute([rounds] {
      std::uint64_t sum = 0, next = 0;
      tbb::flow::graph graph;
      tbb::flow::input_node<std::uint64_t> source(graph, [&](tbb::flow_control& control) -> std::uint64_t {
        if (next < rounds) return next++;
        control.stop();
        return 0;
      });
      tbb::flow::function_node<std::uint64_t> sink(graph, tbb::flow::serial, [&](std::uint64_t x) { sum += x; });
      tbb::flow::make_edge(source, sink);
      source.activate();
      graph.wait_for_all();
      return sum;
    });
  };
}

runner tbb_queue(const settings&) {
  return [](std::uint64_t rounds) {
    constexpr std::uint64_t end = ~std::uint64_t{0};
    tbb::concurrent_bounded_queue<std::uint64_t> queue;
    queue.set_capacity(channel_capacity);
    std::atomic<std::uint64_t> sum{0};
    std::vector<std::thread> senders, receivers;
    const std::uint64_t each = rounds / channel_ends;
    for (std::uint64_t e = 0; e < channel_ends; ++e) {
      senders.emplace_back([&, e] {
        for (std::uint64_t i = 0; i < each; ++i) queue.push(e * each + i);
      });
      receivers.emplace_back([&] {
        std::uint64_t own = 0, value = 0;
        for (queue.pop(value); value != end; queue.pop(value)) own += value;
        sum += own;
      });
    }
    for (std::thread& t : senders) t.join();
    for (std::uint64_t e = 0; e < channel_ends; ++e) queue.push(end);
    for (std::thread& t : receivers) t.join();
    return sum.load();
  };
}

}  // namespace hel_bench

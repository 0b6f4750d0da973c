// What the resident kernel's warps share: the queue that moves frames in batches, and the frame memory.
#include "hel/core/batch_queue.hpp"
#include "hel/core/frame_store.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;

struct queue_scenario : explorer::scenario {
  using queue_type = hel::core::batch_queue<int>;
  explicit queue_scenario(unsigned threads) : scenario(threads) {}
  // As many of `first` ... as there is room for, side by side as the lanes of a warp do.
  void send(int first, std::uint32_t n) {
    const auto r = queue.reserve_send(n);
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const int v = first + static_cast<int>(i);
      payload[v].write(v);
      queue.put(r.first + i, v);
      ++sent[v];
    }
  }
  void receive(std::uint32_t n) {
    const auto r = queue.reserve_receive(n);
    for (std::uint32_t i = 0; i < r.count; ++i) {
      const int v = queue.get(r.first + i);
      require(v >= 1 && v <= 4, "nobody has sent that");
      require(payload[v].read() == v, "the payload was not there");
      ++received[v];
    }
  }
  void check() override {
    while (!queue.looks_empty()) receive(1);
    for (int v = 1; v <= 4; ++v) {
      require(received[v] >= sent[v], "an item is lost");
      require(received[v] <= sent[v], "an item was received twice");
    }
  }
  queue_type::cell cells[2];
  queue_type queue{cells, 1};
  explorer::plain<int> payload[5];
  int sent[5] = {}, received[5] = {};
};

struct batches : queue_scenario {
  batches() : queue_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      send(1, 2);
      send(3, 2);
    } else {
      receive(2);
      if (t == 1) receive(1);
    }
  }
};

struct two_senders : queue_scenario {
  two_senders() : queue_scenario(3) {}
  void run(unsigned t) override {
    if (t == 2) {
      receive(2);
      receive(2);
    } else {
      send(1 + 2 * static_cast<int>(t), 2);
    }
  }
};

// The queue that has room for all: nobody asks.
struct singles : queue_scenario {
  singles() : queue_scenario(3) {}
  void run(unsigned t) override {
    if (t == 2) {
      receive(2);
    } else {
      const int v = 1 + static_cast<int>(t);
      payload[v].write(v);
      queue.send(v);
      ++sent[v];
    }
  }
};

// One slab with room for two blocks.
struct store_scenario : explorer::scenario {
  explicit store_scenario(unsigned threads) : scenario(threads) {}
  static constexpr std::size_t block = 1024, slab = hel::core::frame_store::slab_bytes;
  void* take() {
    void* const p = store.take(block);
    if (!p) return nullptr;
    explorer::plain<int>& o = owner(p);
    require(o.read() == 0, "a block has two owners");
    o.write(1);
    return p;
  }
  void give_back(void* p) {
    if (!p) return;
    owner(p).write(0);
    store.give_back(p, block);
  }
  explorer::plain<int>& owner(void* p) {
    const auto offset = static_cast<std::size_t>(static_cast<unsigned char*>(p) - arena);
    require(offset % block == 0 && offset < slab, "a block is not where one can be");
    return owners[offset / block];
  }
  void check() override {
    std::size_t n = 0;
    while (take()) ++n;
    require(n == slab / block, "a block is lost");
  }
  static inline unsigned char arena[slab];
  hel::core::frame_store::link links[hel::core::frame_store::links(slab)];
  hel::core::frame_store store{arena, slab, links};
  explorer::plain<int> owners[slab / block];
};

struct first_blocks : store_scenario {
  first_blocks() : store_scenario(3) {}
  void run(unsigned) override { give_back(take()); }
};

struct recycled : store_scenario {
  recycled() : store_scenario(2) { give_back_both(take(), take()); }
  void give_back_both(void* a, void* b) {
    give_back(a);
    give_back(b);
  }
  void run(unsigned t) override {
    if (t == 0) {
      give_back(take());
      return;
    }
    void* const a = take();
    void* const b = take();
    give_back(a);
    void* const c = take();
    give_back_both(b, c);
  }
};

}  // namespace

int main() {
  const bool good = explorer::explore<batches>("batches", {.preemptions = 3, .stale_reads = 1}) &
                    explorer::explore<two_senders>("batches, two senders", {.preemptions = 3, .stale_reads = 1}) &
                    explorer::explore<singles>("singles", {.preemptions = 3, .stale_reads = 2}) &
                    explorer::explore<first_blocks>("first blocks", {.preemptions = 3, .stale_reads = 1}) &
                    explorer::explore<recycled>("recycled blocks", {.preemptions = 4, .stale_reads = 1});
  return good ? 0 : 1;
}

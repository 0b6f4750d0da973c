// The dependency counter, the completion word and the block pool.
#include "hel/core/block_pool.hpp"
#include "hel/core/completion_word.hpp"
#include "hel/core/dependency_counter.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;

struct counter : explorer::scenario {
  counter() : scenario(3) {}
  void run(unsigned t) override {
    part[t].write(static_cast<int>(t) + 1);
    if (!left.arrive(1)) return;
    ++last;
    for (const auto& p : part) sum += p.read();
  }
  void check() override {
    require(last == 1, "not exactly one arrival was the last");
    require(sum == 6, "the last one did not see all results");
  }
  hel::core::dependency_counter<> left{3};
  explorer::plain<int> part[3];
  int last = 0, sum = 0;
};

struct link {
  link* next = nullptr;
};

struct word_scenario : explorer::scenario {
  explicit word_scenario(unsigned threads) : scenario(threads) {}
  void waits(std::size_t i) {
    mine[i].write(1);
    if (!word.try_wait(&links[i])) {
      require(result.read() == 7, "the result was not there");
      ++ends[i];
    }
  }
  void completes() {
    result.write(7);
    wakes(word.complete().first);
  }
  void wakes(link* l) {
    for (; l; l = l->next) {
      const auto i = static_cast<std::size_t>(l - links);
      require(mine[i].read() == 1, "what the waiter wrote was not there");
      ++ends[i];
    }
  }
  hel::core::completion_word<link> word;
  link links[3];
  explorer::plain<int> mine[3], result;
  int ends[3] = {};  // how often each was woken, refused or taken back
};

struct two_wait : word_scenario {
  two_wait() : word_scenario(3) {}
  void run(unsigned t) override { t == 0 ? completes() : waits(t); }
  void check() override { require(ends[1] == 1 && ends[2] == 1, "a waiter did not end once"); }
};

struct owner_goes : word_scenario {
  owner_goes() : word_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      result.write(7);
      const auto over = word.complete();
      released += over.detached;
      wakes(over.first);
    } else if (t == 1) {
      released += word.detach();
    } else {
      waits(2);
    }
  }
  void check() override {
    require(released == 1, "not exactly one side releases the object");
    require(ends[2] == 1, "a waiter did not end once");
  }
  int released = 0;
};

struct taking_back : word_scenario {
  taking_back() : word_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) return completes();
    waits(t);
    if (t != 1 || ends[1] != 0) return;
    link* missed = nullptr;
    if (word.withdraw(&links[1], missed)) ++ends[1];
    wakes(missed);
  }
  void check() override { require(ends[1] == 1 && ends[2] == 1, "a waiter did not end once"); }
};

// A block that was taken and given back between another's look at the list and its exchange (the ABA problem).
struct pool : explorer::scenario {
  pool() : scenario(2), blocks(memory, links, 16, 3) {
    for (int i = 0; i < 3; ++i) (void)blocks.take_index();
    for (std::uint32_t i : {2u, 1u, 0u}) blocks.give_back_index(i);
  }
  void run(unsigned t) override {
    if (t == 0) {
      use(blocks.take_index());
    } else {
      const std::uint32_t a = use(blocks.take_index()), b = use(blocks.take_index());
      if (a != blocks.none) give(a);
      (void)b;  // stays taken
    }
  }
  std::uint32_t use(std::uint32_t i) {
    if (i == blocks.none) return i;
    require(++users[i] == 1, "a block has two owners");
    content[i].write(1);
    return i;
  }
  void give(std::uint32_t i) {
    --users[i];
    blocks.give_back_index(i);
  }
  void check() override {
    while (use(blocks.take_index()) != blocks.none) {
    }
    for (int n : users) require(n == 1, "a block is lost");
  }
  alignas(16) unsigned char memory[48];
  hel::core::atomic<std::uint32_t> links[3];
  hel::core::block_pool<> blocks;
  explorer::plain<int> content[3];
  int users[3] = {};
};

}  // namespace

int main() {
  constexpr explorer::limits all{.preemptions = 20, .stale_reads = 20};  // every interleaving
  const bool good = explorer::explore<counter>("dependency counter", all) &
                    explorer::explore<two_wait>("completion word, two wait", all) &
                    explorer::explore<owner_goes>("completion word, its owner goes", all) &
                    explorer::explore<taking_back>("completion word, taking back", all) &
                    explorer::explore<pool>("block pool", {.preemptions = 6, .stale_reads = 4});
  return good ? 0 : 1;
}

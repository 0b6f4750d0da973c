// The work-stealing deque with its owner and one or two thieves.
#include "hel/exec/work_stealing_deque.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;

struct deque_scenario : explorer::scenario {
  explicit deque_scenario(unsigned threads) : scenario(threads) {}
  // Items are 1, 2, ...; each has a payload, written before it is pushed.
  void push(std::size_t i) {
    payload[i].write(static_cast<int>(i));
    deque.push(reinterpret_cast<void*>(i));
    pushed = i;
  }
  void took(void* item) {
    const auto i = reinterpret_cast<std::size_t>(item);
    if (i == 0) return;
    require(i <= 4, "an item that nobody has pushed");
    require(payload[i].read() == static_cast<int>(i), "the payload was not there");
    ++taken[i];
  }
  void check() override {
    for (int n = 0; n < 8; ++n) {
      const auto i = reinterpret_cast<std::size_t>(deque.pop());
      if (i == 0) break;
      ++taken[i];
    }
    for (std::size_t i = 1; i <= pushed; ++i) {
      require(taken[i] >= 1, "an item is lost");
      require(taken[i] <= 1, "an item was taken twice");
    }
  }
  hel::exec::work_stealing_deque deque;
  explorer::plain<int> payload[5];
  std::size_t pushed = 0;
  int taken[5] = {};
};

struct one_thief : deque_scenario {
  one_thief() : deque_scenario(2) {}
  void run(unsigned t) override {
    if (t == 0) {
      push(1);
      push(2);
      took(deque.pop());
      took(deque.pop());
      took(deque.pop());
    } else {
      took(deque.steal());
      took(deque.steal());
    }
  }
};

struct two_thieves : deque_scenario {
  two_thieves() : deque_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      push(1);
      push(2);
      took(deque.pop());
    } else {
      took(deque.steal());
    }
  }
};

// What a join does: takes the item back if it is still there.
struct taking_back : deque_scenario {
  taking_back() : deque_scenario(2) {}
  void run(unsigned t) override {
    if (t == 0) {
      push(1);
      if (deque.pop_if(reinterpret_cast<void*>(1))) took(reinterpret_cast<void*>(1));
      push(2);
      if (deque.pop_if(reinterpret_cast<void*>(2))) took(reinterpret_cast<void*>(2));
    } else {
      took(deque.steal());
      took(deque.steal());
    }
  }
};

}  // namespace

int main() {
  const bool good = explorer::explore<one_thief>("deque, one thief", {.preemptions = 4, .stale_reads = 3}) &
                    explorer::explore<two_thieves>("deque, two thieves", {.preemptions = 3, .stale_reads = 2}) &
                    explorer::explore<taking_back>("deque, taking back", {.preemptions = 4, .stale_reads = 3});
  return good ? 0 : 1;
}

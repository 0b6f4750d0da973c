// The biased lock: its worker, who enters by plain stores, and others who take the bias away, or have it after him.
#include "hel/exec/biased_lock.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;
using lock_type = hel::exec::basic_biased_lock<1>;

struct lock_scenario : explorer::scenario {
  explicit lock_scenario(unsigned threads) : scenario(threads) {
    entering(0);
    const lock_type::guard hold(lock);  // from here on it is biased to thread 0
  }
  void entering(unsigned thread) override {
    hel::exec::this_bias_cell = thread == 2 ? nullptr : &cells[thread];  // the last thread is no worker
  }
  void section() {
    const lock_type::guard hold(lock);
    (void)moment.load_relaxed();  // others may go on here, before the write
    n.write(n.read() + 1);
    ++sections;
  }
  void check() override {
    hel::exec::this_bias_cell = nullptr;
    require(n.read() == sections, "two threads were inside");
  }
  hel::exec::bias_cell cells[2];
  lock_type lock;
  explorer::plain<int> n;
  hel::core::atomic<int> moment;
  int sections = 0;
};

struct one_comes : lock_scenario {
  one_comes() : lock_scenario(2) {}
  void run(unsigned t) override {
    section();
    if (t == 0) section();
  }
};
struct two_come : lock_scenario {
  two_come() : lock_scenario(3) {}
  void run(unsigned) override { section(); }
};
// Thread 0 may be held up on its way in until thread 1 has the bias, and is inside by it when thread 2 comes.
struct bias_moves : lock_scenario {
  bias_moves() : lock_scenario(3) {}
  void run(unsigned t) override {
    section();
    if (t != 1) return;
    section();
    section();
  }
};

}  // namespace

int main() {
  const bool good = explorer::explore<one_comes>("biased lock, one comes", {.preemptions = 6, .stale_reads = 4}) &
                    explorer::explore<two_come>("biased lock, two come", {.preemptions = 3, .stale_reads = 2}) &
                    explorer::explore<bias_moves>("biased lock, the bias moves", {.preemptions = 3, .stale_reads = 0});
  return good ? 0 : 1;
}

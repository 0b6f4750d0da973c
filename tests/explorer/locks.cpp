// The biased lock: its worker, who enters by plain stores, and others who take the bias away.
#include "hel/exec/biased_lock.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;
using hel::exec::biased_lock;

struct lock_scenario : explorer::scenario {
  explicit lock_scenario(unsigned threads) : scenario(threads) {
    entering(0);
    for (int i = 0; i < 16; ++i) const biased_lock::guard hold(lock);  // from here on it is biased to thread 0
  }
  void entering(unsigned thread) override {
    // Compared only. The last thread is no worker.
    hel::exec::this_worker =
        thread == 2 ? nullptr : reinterpret_cast<hel::exec::local_worker*>(std::uintptr_t{64} * (thread + 1));
  }
  void section() {
    const biased_lock::guard hold(lock);
    (void)moment.load_relaxed();  // others may go on here, before the write
    n.write(n.read() + 1);
    ++sections;
  }
  void check() override {
    hel::exec::this_worker = nullptr;
    require(n.read() == sections, "two threads were inside");
  }
  biased_lock lock;
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

}  // namespace

int main() {
  const bool good = explorer::explore<one_comes>("biased lock, one comes", {.preemptions = 6, .stale_reads = 4}) &
                    explorer::explore<two_come>("biased lock, two come", {.preemptions = 3, .stale_reads = 2});
  return good ? 0 : 1;
}

// The explorer itself: what it must find, and what it must not.
#include <cstdio>

#include "hel/core/spin_lock.hpp"
#include "hel/exec/asymmetric_fence.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;
using hel::core::atomic;

// Each thread writes its word, then reads the other's: both may read nothing (store buffering).
struct store_buffering : explorer::scenario {
  explicit store_buffering(bool fences) : scenario(2), fences(fences) {}
  void run(unsigned t) override {
    word[t].store_release(1);
    if (fences && t == 1)
      hel::exec::heavy_fence();
    else if (fences)
      hel::exec::light_fence();
    seen[t] = word[1 - t].load_acquire();
  }
  void check() override { require(seen[0] + seen[1] > 0, "neither saw the other"); }
  const bool fences;
  atomic<int> word[2];
  int seen[2] = {};
};

// A payload and a flag that publishes it, or not.
struct message_passing : explorer::scenario {
  message_passing(bool release, bool acquire) : scenario(2), release(release), acquire(acquire) {}
  void run(unsigned t) override {
    if (t == 0) {
      payload.write(7);
      release ? flag.store_release(1) : flag.store_relaxed(1);
    } else if ((acquire ? flag.load_acquire() : flag.load_relaxed()) == 1) {
      require(payload.read() == 7, "the payload was not there");
    }
  }
  void check() override {}
  const bool release, acquire;
  explorer::plain<int> payload;
  atomic<int> flag;
};

// Two increments, of one operation or of two.
struct counting : explorer::scenario {
  explicit counting(bool at_once) : scenario(3), at_once(at_once) {}
  void run(unsigned) override { at_once ? (void)n.fetch_add_relaxed(1) : n.store_relaxed(n.load_relaxed() + 1); }
  void check() override { require(n.load_relaxed() == 3, "an increment is lost"); }
  const bool at_once;
  atomic<int> n;
};

// Nobody ever writes what thread 1 waits for.
struct waiting : explorer::scenario {
  explicit waiting(int wanted) : scenario(2), wanted(wanted) {}
  void run(unsigned t) override {
    if (t == 0) return word.store_release(1);
    while (word.load_acquire() != wanted) explorer::pause();
  }
  void check() override {}
  const int wanted;
  atomic<int> word;
};

// Independent reads of independent writes: two readers may see them in different orders.
struct two_readers : explorer::scenario {
  two_readers() : scenario(4) {}
  void run(unsigned t) override {
    if (t < 2) return word[t].store_release(1);
    first[t - 2] = word[t - 2].load_acquire();
    second[t - 2] = word[3 - t].load_acquire();
  }
  void check() override {
    require(!(first[0] == 1 && second[0] == 0 && first[1] == 1 && second[1] == 0), "they saw different orders");
  }
  atomic<int> word[2];
  int first[2] = {}, second[2] = {};
};

// A relaxed increment passes on what a release has published before it (a release sequence).
struct release_sequence : explorer::scenario {
  release_sequence() : scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      payload.write(1);
      n.store_release(1);
    } else if (t == 1) {
      n.fetch_add_relaxed(2);
    } else if (n.load_acquire() == 3) {
      require(payload.read() == 1, "the payload was not there");
    }
  }
  void check() override {}
  explorer::plain<int> payload;
  atomic<int> n;
};

struct locking : explorer::scenario {
  locking() : scenario(3) {}
  void run(unsigned) override {
    const hel::core::spin_guard guard(lock);
    n.write(n.read() + 1);
  }
  void check() override { require(n.read() == 3, "the lock excludes nobody"); }
  hel::core::spin_lock lock;
  explorer::plain<int> n;
};

template <class S, class... Args>
bool holds(const char* name, Args... args) {
  return explorer::explore(name, [=] { return std::make_unique<S>(args...); });
}
template <class S, class... Args>
bool found(const char* name, Args... args) {
  std::printf("to be found: ");
  return !explorer::explore(name, [=] { return std::make_unique<S>(args...); });
}

}  // namespace

int main() {
  bool good = true;
  good &= found<store_buffering>("store buffering", false);
  good &= holds<store_buffering>("store buffering with fences", true);
  good &= holds<message_passing>("message passing", true, true);
  good &= found<message_passing>("message passing without release", false, true);
  good &= found<message_passing>("message passing without acquire", true, false);
  good &= holds<counting>("counting at once", true);
  good &= found<counting>("counting in two steps", false);
  good &= holds<waiting>("waiting", 1);
  good &= found<waiting>("waiting for ever", 2);
  good &= found<two_readers>("two readers");
  good &= holds<release_sequence>("release sequence");
  good &= holds<locking>("spin lock");
  return good ? 0 : 1;
}

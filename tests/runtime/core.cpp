// The portable protocols alone, with threads at both ends.
#include <algorithm>
#include <atomic>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "hel/core/block_pool.hpp"
#include "hel/core/completion_word.hpp"
#include "hel/core/dependency_counter.hpp"
#include "hel/core/frame_cache.hpp"
#include "hel/core/mailbox.hpp"
#include "hel/core/spin_lock.hpp"
#include "hel/exec/biased_lock.hpp"
#include "hel/exec/work_stealing_deque.hpp"

namespace {

using hel::core::block_pool;
using hel::core::completion_word;
using hel::core::dependency_counter;
using hel::core::mailbox;
using hel::exec::work_stealing_deque;

// Runs f(i) on n threads at once.
template <class F>
void in_parallel(int n, F f) {
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) {
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < n) std::this_thread::yield();
      f(i);
    });
  }
  for (auto& t : threads) t.join();
}

// An irregular pause, so that the threads meet at different points.
void stagger(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  if (state >> 30 == 0) std::this_thread::yield();
}

void* item(std::size_t i) { return reinterpret_cast<void*>(i + 1); }
std::size_t number(void* p) { return reinterpret_cast<std::size_t>(p) - 1; }

}  // namespace

TEST_CASE("deque: last in, first out for the owner, first in, first out for thieves, growing") {
  work_stealing_deque d;
  CHECK(d.pop() == nullptr);
  CHECK(d.steal() == nullptr);
  constexpr std::size_t n = 5000;
  for (std::size_t i = 0; i < n; ++i) d.push(item(i));
  CHECK(number(d.steal()) == 0);
  CHECK(number(d.steal()) == 1);
  for (std::size_t i = n; i-- > 2;) REQUIRE(number(d.pop()) == i);
  CHECK(d.pop() == nullptr);
  CHECK(d.steal() == nullptr);
  CHECK(d.looks_empty());
}

TEST_CASE("deque: every item is taken exactly once") {
  for (int thieves : {1, 3, 7}) {
    constexpr std::size_t n = 20000;
    work_stealing_deque d;
    std::vector<std::atomic<int>> taken(n);
    std::atomic<std::size_t> total = 0;
    in_parallel(thieves + 1, [&](int id) {
      unsigned state = static_cast<unsigned>(id) + 1;
      const auto take = [&](void* p) {
        if (!p) return;
        ++taken[number(p)];
        ++total;
      };
      if (id == 0) {
        for (std::size_t i = 0; i < n; ++i) {
          d.push(item(i));
          if (i % 3 != 0) take(d.pop());
          stagger(state);
        }
        while (total < n) {
          take(d.pop());
          std::this_thread::yield();
        }
      } else {
        while (total < n) {
          take(d.steal());
          stagger(state);
        }
      }
    });
    CHECK(std::all_of(taken.begin(), taken.end(), [](const auto& t) { return t == 1; }));
  }
}

TEST_CASE("mailbox: full and empty are reported, order is kept") {
  mailbox<int>::cell cells[4];
  mailbox<int> box(cells, 4);
  int v = 0;
  CHECK(!box.try_receive(v));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) CHECK(box.try_send(i));
    CHECK(!box.try_send(4));
    for (int i = 0; i < 4; ++i) {
      CHECK(box.try_receive(v));
      CHECK(v == i);
    }
    CHECK(!box.try_receive(v));
  }
}

TEST_CASE("mailbox: nothing is lost or doubled, and each sender's order is kept") {
  for (int pairs : {1, 2, 4}) {
    constexpr std::uint32_t each = 5000;
    std::vector<mailbox<std::uint32_t>::cell> cells(16);
    mailbox<std::uint32_t> box(cells.data(), cells.size());
    std::vector<std::vector<std::uint32_t>> got(static_cast<std::size_t>(pairs));
    std::atomic<std::uint32_t> left = each * static_cast<std::uint32_t>(pairs);
    in_parallel(2 * pairs, [&](int id) {
      unsigned state = static_cast<unsigned>(id) + 1;
      if (id < pairs) {
        for (std::uint32_t i = 0; i < each; ++i) {
          while (!box.try_send(static_cast<std::uint32_t>(id) << 24 | i)) std::this_thread::yield();
          stagger(state);
        }
      } else {
        auto& mine = got[static_cast<std::size_t>(id - pairs)];
        while (left > 0) {
          std::uint32_t v = 0;
          if (box.try_receive(v)) {
            mine.push_back(v);
            --left;
          } else {
            std::this_thread::yield();
          }
          stagger(state);
        }
      }
    });
    std::set<std::uint32_t> all;
    for (const auto& mine : got) {
      std::vector<std::uint32_t> next(static_cast<std::size_t>(pairs));
      for (std::uint32_t v : mine) {
        REQUIRE((v & 0xffffff) >= next[v >> 24]);
        next[v >> 24] = (v & 0xffffff) + 1;
        all.insert(v);
      }
    }
    CHECK(all.size() == each * static_cast<std::uint32_t>(pairs));
  }
}

TEST_CASE("block pool: exhaustion, reuse, and no block twice") {
  constexpr std::uint32_t blocks = 64;
  constexpr std::size_t bytes = 64;
  alignas(16) static unsigned char arena[blocks * bytes];
  std::vector<hel::core::atomic<std::uint32_t>> links(blocks);
  block_pool<> pool(arena, links.data(), bytes, blocks);
  std::vector<void*> all;
  while (void* p = pool.take()) all.push_back(p);
  CHECK(std::set<void*>(all.begin(), all.end()).size() == blocks);
  CHECK(pool.owns(all.front()));
  CHECK(!pool.owns(&pool));
  pool.give_back(all[5]);
  CHECK(pool.take() == all[5]);
  CHECK(pool.take() == nullptr);
  for (void* p : all) pool.give_back(p);

  in_parallel(4, [&](int id) {
    unsigned state = static_cast<unsigned>(id) + 1;
    for (int i = 0; i < 5000; ++i) {
      auto* p = static_cast<int*>(pool.take());
      if (!p) continue;
      *p = id;  // a block given to two would be a data race here
      stagger(state);
      if (*p != id) std::abort();
      pool.give_back(p);
    }
  });
  std::size_t n = 0;
  while (pool.take()) ++n;
  CHECK(n == blocks);
}

TEST_CASE("frame cache: blocks that lanes keep, pass on and give back; none twice, none lost") {
  using hel::core::frame_cache;
  using hel::core::frame_store;
  constexpr std::size_t bytes = 256, size = 4 * frame_store::slab_bytes, lanes = 4;
  alignas(16) static unsigned char arena[size];
  std::vector<frame_store::link> links(frame_store::links(size));
  frame_store store(arena, size, links.data());
  std::vector<frame_cache::cell> cells(frame_cache::cells_of_lane * lanes);
  const auto cache = [&](std::size_t lane) { return frame_cache(store, cells.data() + lane, lanes, 3); };

  std::atomic<void*> passed[lanes] = {};
  in_parallel(lanes, [&](int id) {
    frame_cache mine = cache(static_cast<std::size_t>(id));
    unsigned state = static_cast<unsigned>(id) + 1;
    std::vector<void*> held;
    for (int i = 0; i < 4000; ++i) {
      for (int k = i % 7; k > 0; --k) {
        auto* p = static_cast<int*>(mine.take(bytes));
        if (!p) continue;
        *p = id;  // a block given to two would be a data race here
        held.push_back(p);
      }
      stagger(state);
      for (void* p : held)
        if (*static_cast<int*>(p) != id) std::abort();
      // The next lane gives some of them back.
      for (void* p : held)
        if (void* const other = passed[(id + 1) % lanes].exchange(p)) mine.give_back(other, bytes);
      held.clear();
      if (void* const p = passed[id].exchange(nullptr)) mine.give_back(p, bytes);
    }
  });
  std::set<void*> all;
  std::size_t n = 0;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    frame_cache one = cache(lane);
    if (void* const p = passed[lane]) one.give_back(p, bytes);
    for (void* p; (p = one.take(bytes)); ++n) all.insert(p);
  }
  CHECK(n == size / bytes);
  CHECK(all.size() == n);
}

namespace {
struct waiter {
  waiter* next = nullptr;
};
}  // namespace

TEST_CASE("completion word: waiting, completing and detaching in any order") {
  waiter w;
  {
    completion_word<waiter> c;
    CHECK(!c.done());
    CHECK(c.try_wait(&w));
    CHECK(c.complete().first == &w);
    CHECK(w.next == nullptr);
    CHECK(c.done());
  }
  {  // several wait: they come out in order, also when the owner has gone
    waiter v, u;
    completion_word<waiter> c;
    CHECK(c.try_wait(&w));
    CHECK(c.try_wait(&v));
    CHECK(!c.detach());
    CHECK(c.try_wait(&u));
    const auto over = c.complete();
    CHECK(over.detached);
    CHECK(over.first == &w);
    CHECK(w.next == &v);
    CHECK(v.next == &u);
    CHECK(u.next == nullptr);
    CHECK(!c.try_wait(&w));
    c.reset();
    CHECK(c.try_wait(&w));
    c.reset();  // pending already: nobody is forgotten
    CHECK(c.complete().first == &w);
  }
  {
    completion_word<waiter> c;
    CHECK(c.complete().first == nullptr);
    CHECK(!c.try_wait(&w));
    CHECK(c.detach());
  }
  {
    completion_word<waiter> c;
    CHECK(!c.detach());
    CHECK(c.complete().detached);
  }
}

TEST_CASE("completion word: a link is taken back") {
  waiter w[5];
  completion_word<waiter> c;
  waiter* missed = nullptr;
  for (waiter& l : w) CHECK(c.try_wait(&l));
  CHECK(c.withdraw(&w[2], missed));
  CHECK(missed == nullptr);
  CHECK(c.withdraw(&w[4], missed));
  CHECK(!c.detach());
  CHECK(c.withdraw(&w[0], missed));
  const auto over = c.complete();
  CHECK(over.detached);
  CHECK(over.first == &w[1]);
  CHECK(w[1].next == &w[3]);
  CHECK(w[3].next == nullptr);
  CHECK(!c.withdraw(&w[1], missed));
}

TEST_CASE("completion word: taking back while others wait and it completes") {
  // Each link ends in exactly one way: taken back, refused, returned by complete(), or missed.
  constexpr std::size_t rounds = 2000;
  struct cell {
    completion_word<waiter> word;
    waiter links[4];
    std::atomic<int> ends = 0;
  };
  std::vector<cell> cells(rounds);
  in_parallel(3, [&](int id) {
    unsigned state = static_cast<unsigned>(id) + 1;
    const auto count = [](cell& c, waiter* l) {
      for (; l; l = l->next) ++c.ends;
    };
    for (cell& c : cells) {
      stagger(state);
      if (id == 0) {
        for (int i : {0, 1})
          if (!c.word.try_wait(&c.links[i])) ++c.ends;
        waiter* missed = nullptr;
        if (c.word.withdraw(&c.links[1], missed)) ++c.ends;
        count(c, missed);
      } else if (id == 1) {
        for (int i : {2, 3})
          if (!c.word.try_wait(&c.links[i])) ++c.ends;
      } else {
        count(c, c.word.complete().first);
      }
    }
  });
  CHECK(std::all_of(cells.begin(), cells.end(), [](const cell& c) { return c.ends == 4; }));
}

TEST_CASE("completion word: the payload is seen, exactly one side acts") {
  struct cell {
    completion_word<waiter> word;
    waiter link;
    int payload = 0;
  };
  constexpr std::size_t n = 5000;
  std::vector<cell> waited(n), dropped(n);
  std::atomic<std::size_t> woken = 0, found = 0, released = 0;
  in_parallel(2, [&](int id) {
    unsigned state = static_cast<unsigned>(id) + 1;
    for (std::size_t i = 0; i < n; ++i) {
      stagger(state);
      if (id == 0) {
        waited[i].payload = 7;
        if (waited[i].word.complete().first) ++woken;
        if (dropped[i].word.complete().detached) ++released;
      } else {
        if (!waited[i].word.try_wait(&waited[i].link)) found += waited[i].payload == 7;
        if (dropped[i].word.detach()) ++released;
      }
    }
  });
  CHECK(woken + found == n);
  CHECK(released == n);
}

TEST_CASE("dependency counter: the last arrival sees what all wrote") {
  constexpr int n = 4;
  for (int round = 0; round < 500; ++round) {
    dependency_counter<> counter(n);
    int parts[n] = {};
    std::atomic<int> last = 0, sum = 0;
    in_parallel(n, [&](int id) {
      parts[id] = id + 1;
      if (!counter.arrive()) return;
      ++last;
      for (int p : parts) sum += p;
    });
    REQUIRE(last == 1);
    REQUIRE(sum == n * (n + 1) / 2);
  }
}

TEST_CASE("spin lock: excludes") {
  hel::core::spin_lock lock;
  int n = 0;
  in_parallel(4, [&](int) {
    for (int i = 0; i < 5000; ++i) {
      const hel::core::spin_guard guard(lock);
      ++n;
    }
  });
  CHECK(n == 20000);
}

TEST_CASE("biased lock: excludes, whoever has the bias") {
  for (int round = 0; round < 100; ++round) {  // a bias is given and taken away most often at the begin
    hel::exec::biased_lock lock;
    std::atomic<int> inside = 0, both = 0;
    int uses = 0;
    const auto use = [&](int times, int length) {
      for (int i = 0; i < times; ++i) {
        const hel::exec::biased_lock::guard hold(lock);
        both += inside.fetch_add(1, std::memory_order_relaxed);
        ++uses;
        for (volatile int n = 0; n < length;) n = n + 1;
        inside.fetch_sub(1, std::memory_order_relaxed);
      }
    };
    in_parallel(3, [&](int id) {
      hel::exec::local_worker me;
      std::optional<hel::exec::bias_scope> bias;
      if (id != 2) {  // one of the threads is no worker
        hel::exec::this_worker = &me;
        bias.emplace();
      }
      std::minstd_rand random(static_cast<unsigned>(round * 3 + id));
      for (int i = 0; i < (id == 0 ? 10 : 3); ++i) {
        use(id == 0 ? 60 : 1 + static_cast<int>(random() % 30), static_cast<int>(random() % 4 == 0 ? 20000 : 20));
        if (random() % 2 == 0) std::this_thread::yield();
      }
      hel::exec::this_worker = nullptr;
    });
    use(1, 0);
    REQUIRE(both == 0);
    REQUIRE(uses > 600);
  }
}

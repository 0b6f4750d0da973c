// The protocol of host calls alone: slots, doorbells, abandoned calls, threads at all ends.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "hel/core/rpc.hpp"

namespace {

using namespace hel::core;

// Who waits; told once at most.
struct caller {
  std::uint32_t slot = 0;
  std::uint64_t expected = 0;
  std::atomic<int> told = 0;
};

class world {
 public:
  explicit world(const rpc_shape& s)
      : memory_(std::calloc(1, s.bytes() + 64)), links_(s.all()), waits_(s.all()),
        client(view(s), links_.data(), waits_.data()), server(view(s)) {}
  ~world() { std::free(memory_); }

 private:
  rpc_memory view(const rpc_shape& s) const {
    return {reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory_) + 63) & ~std::uintptr_t{63}), s};
  }
  void* memory_;
  std::vector<rpc_client<caller>::link> links_;
  std::vector<rpc_client<caller>::wait> waits_;

 public:
  rpc_client<caller> client;
  rpc_server server;
};

std::uint64_t& number_in(void* payload) { return *static_cast<std::uint64_t*>(payload); }

// An irregular pause, so that the threads meet at different points.
void stagger(unsigned& state) {
  state = state * 1664525u + 1013904223u;
  if (state >> 30 == 0) std::this_thread::yield();
}

}  // namespace

TEST_CASE("rpc: a call goes there and back") {
  world w({.slots = {2, 1, 1}});
  caller c;
  CHECK(w.server.next() == rpc_server::none);
  CHECK(w.client.next_answer().waiter == nullptr);
  for (std::uint64_t turn = 0; turn < 20; ++turn) {
    const std::uint32_t slot = w.client.claim(8);
    REQUIRE(slot != rpc_client<caller>::none);
    w.client.header(slot).function = turn;
    number_in(w.client.payload(slot)) = 10 * turn;
    CHECK(w.client.answered(slot));  // it is the client's
    w.client.submit(slot, &c);
    CHECK(!w.client.answered(slot));
    REQUIRE(w.server.next() == slot);
    CHECK(w.server.next() == rpc_server::none);
    CHECK(!w.server.is_abandoned(slot));
    CHECK(w.server.header(slot).function == turn);
    ++number_in(w.server.payload(slot));
    w.server.answer(slot, 0);
    CHECK(w.client.answered(slot));
    const auto a = w.client.next_answer();
    CHECK(a.waiter == &c);
    CHECK(a.slot == slot);
    CHECK(number_in(w.client.payload(slot)) == 10 * turn + 1);
    w.client.release(slot);
    CHECK(w.client.next_answer().waiter == nullptr);
  }
}

TEST_CASE("rpc: the classes are apart, and what is exhausted is reported") {
  world w({.slots = {3, 2, 1}});
  std::set<std::uint32_t> all;
  const auto take = [&](std::size_t bytes, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t slot = w.client.claim(bytes);
      REQUIRE(slot != rpc_client<caller>::none);
      std::memset(w.client.payload(slot), static_cast<int>(slot), bytes);  // overlapping would show under ASan, or here
      CHECK(all.insert(slot).second);
    }
    CHECK(w.client.claim(bytes) == rpc_client<caller>::none);
  };
  take(96, 3);
  take(97, 2);
  take(rpc_largest_payload, 1);
  for (std::uint32_t slot : all) {
    const std::size_t bytes = slot < 3 ? 96 : slot < 5 ? 97 : rpc_largest_payload;
    CHECK(static_cast<unsigned char*>(w.client.payload(slot))[0] == slot);
    CHECK(static_cast<unsigned char*>(w.client.payload(slot))[bytes - 1] == slot);
  }
  w.client.release(1);
  CHECK(w.client.claim(1) == 1);
}

TEST_CASE("rpc: several calls with one doorbell come in order") {
  world w({.slots = {8, 0, 0}});
  caller c[5];
  caller* waiting[5];
  std::uint32_t slots[5];
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 5; ++i) {
      slots[i] = w.client.claim(8);
      waiting[i] = &c[i];
    }
    w.client.submit(slots, waiting, 5);
    for (std::uint32_t slot : slots) CHECK(w.server.next() == slot);
    for (int i = 5; i-- > 0;) w.server.answer(slots[i], i);
    for (int i = 5; i-- > 0;) {
      const auto a = w.client.next_answer();
      CHECK(a.waiter == &c[i]);
      CHECK(w.client.header(a.slot).error == i);
      w.client.release(a.slot);
    }
  }
}

TEST_CASE("rpc: an abandoned call keeps its slot until it is answered") {
  world w({.slots = {1, 0, 0}});
  constexpr auto none = rpc_client<caller>::none;
  caller c, d;
  for (int served_first : {0, 1}) {
    const std::uint32_t slot = w.client.claim(8);
    w.client.submit(slot, &c);
    if (served_first) CHECK(w.server.next() == slot);
    CHECK(w.client.abandon(slot, &c));
    CHECK(!w.client.abandon(slot, &c));
    CHECK(w.client.claim(8) == none);
    if (!served_first) CHECK(w.server.next() == slot);
    CHECK(w.server.is_abandoned(slot));
    w.server.answer(slot, 0);
    CHECK(w.client.claim(8) == none);
    CHECK(w.client.next_answer().waiter == nullptr);  // the late answer is dropped, the slot free
    const std::uint32_t again = w.client.claim(8);
    REQUIRE(again == slot);
    w.client.submit(again, &d);
    CHECK(!w.client.abandon(slot, &c));  // it is another's
    REQUIRE(w.server.next() == slot);
    CHECK(!w.server.is_abandoned(slot));
    w.server.answer(slot, 0);
    CHECK(w.client.next_answer().waiter == &d);
    CHECK(!w.client.abandon(slot, &d));  // it has been told
    w.client.release(slot);
  }
}

TEST_CASE("rpc: no call is lost or doubled, with threads at all ends") {
  for (int clients : {1, 3}) {
    for (int servers : {1, 3}) {
      constexpr std::uint64_t each = 4000;
      const std::uint64_t n = each * static_cast<std::uint64_t>(clients);
      world w({.slots = {8, 0, 0}});
      std::vector<caller> callers(n);
      std::vector<std::atomic<int>> served(n);
      std::atomic<std::uint64_t> told = 0, given_up = 0;
      std::atomic<bool> over = false;
      std::vector<std::thread> threads;
      for (int id = 0; id < clients; ++id) {
        threads.emplace_back([&, id] {
          unsigned state = static_cast<unsigned>(id) + 1;
          for (std::uint64_t i = 0; i < each; ++i) {
            const std::uint64_t number = static_cast<std::uint64_t>(id) * each + i;
            caller& c = callers[number];
            std::uint32_t slot = 0;
            while ((slot = w.client.claim(8)) == rpc_client<caller>::none) std::this_thread::yield();
            number_in(w.client.payload(slot)) = number;
            c.expected = number * 3;
            w.client.submit(slot, &c);
            stagger(state);
            if (i % 4 == 0 && w.client.abandon(slot, &c)) ++given_up;
          }
        });
      }
      for (int id = 0; id < servers; ++id) {
        threads.emplace_back([&, id] {
          unsigned state = static_cast<unsigned>(id) + 100;
          while (!over) {
            const std::uint32_t slot = w.server.next();
            if (slot == rpc_server::none) {
              std::this_thread::yield();
              continue;
            }
            std::uint64_t& number = number_in(w.server.payload(slot));
            ++served[number];
            stagger(state);
            number *= 3;
            w.server.answer(slot, 0);
          }
        });
      }
      for (int id = 0; id < 2; ++id) {
        threads.emplace_back([&, id] {
          unsigned state = static_cast<unsigned>(id) + 200;
          while (!over) {
            const auto a = w.client.next_answer();
            if (!a.waiter) {
              std::this_thread::yield();
              continue;
            }
            if (number_in(w.client.payload(a.slot)) == a.waiter->expected) ++a.waiter->told;
            stagger(state);
            w.client.release(a.slot);
            ++told;
          }
        });
      }
      for (int id = 0; id < clients; ++id) threads[static_cast<std::size_t>(id)].join();
      // Every slot comes back, those of abandoned calls, too.
      for (int i = 0; i < 8; ++i)
        while (w.client.claim(8) == rpc_client<caller>::none) std::this_thread::yield();
      over = true;
      for (std::size_t i = static_cast<std::size_t>(clients); i < threads.size(); ++i) threads[i].join();
      CHECK(told + given_up == n);
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < n; ++i) {
        REQUIRE(served[i] == 1);
        REQUIRE(callers[i].told <= 1);
        sum += static_cast<std::uint64_t>(callers[i].told);
      }
      CHECK(sum == told);
    }
  }
}

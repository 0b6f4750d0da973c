// Host calls: slots, doorbells, and calls that are abandoned while they are answered.
#include "hel/core/rpc.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using namespace hel::core;
using explorer::require;

struct caller {
  int number;
};
constexpr rpc_shape shape{.slots = {2, 0, 0}};

struct rpc_scenario : explorer::scenario {
  explicit rpc_scenario(unsigned threads) : scenario(threads) {}

  // Calls with a number, which comes back doubled.
  std::uint32_t call(int number) {
    const std::uint32_t slot = client.claim(8);
    if (slot == client.none) return slot;
    argument[slot].write(number);
    callers[number].number = number;
    client.submit(slot, &callers[number]);
    ++called;
    return slot;
  }
  void give_up(std::uint32_t slot, int number) {
    if (slot != client.none && client.abandon(slot, &callers[number])) ++abandoned[number];
  }
  void serve() {
    const std::uint32_t slot = server.next();
    if (slot == server.none) return;
    ++served;
    result[slot].write(2 * argument[slot].read());
    server.answer(slot, 0);
  }
  void take_answer() {
    const auto a = client.next_answer();
    if (!a.waiter) return;
    const int number = a.waiter->number;
    require(result[a.slot].read() == 2 * number, "another call's answer");
    require(client.answered(a.slot), "the slot is not the client's");
    ++told[number];
    client.release(a.slot);
  }
  void check() override {
    for (int i = 0; i < 4; ++i) {
      serve();
      take_answer();
    }
    int all = 0;
    for (int i = 0; i < 4; ++i) {
      require(told[i] + abandoned[i] <= 1, "told twice, or told what was abandoned");
      all += told[i] + abandoned[i];
    }
    require(served == called, "a call was lost or made twice");
    require(all == called, "an answer is lost");
    const std::uint32_t a = client.claim(8), b = client.claim(8);
    require(a != client.none && b != client.none, "a slot is lost");
    require(a != b && client.claim(8) == client.none, "a slot was freed twice");
  }

  alignas(64) unsigned char memory[shape.bytes()] = {};
  rpc_client<caller>::link links[2];
  rpc_client<caller>::wait waits[2];
  rpc_client<caller> client{rpc_memory(memory, shape), links, waits};
  rpc_server server{rpc_memory(memory, shape)};
  caller callers[4];
  explorer::plain<int> argument[2], result[2];
  int called = 0, served = 0, told[4] = {}, abandoned[4] = {};
};

struct calls : rpc_scenario {
  calls() : rpc_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      call(0);
      take_answer();
      call(1);
    } else if (t == 1) {
      call(2);
    } else {
      serve();
      serve();
    }
  }
};

struct two_servers : rpc_scenario {
  two_servers() : rpc_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      call(0);
      call(1);
      take_answer();
    } else {
      serve();
    }
  }
};

struct giving_up : rpc_scenario {
  giving_up() : rpc_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      give_up(call(0), 0);
      call(1);
    } else if (t == 1) {
      serve();
    } else {
      take_answer();
    }
  }
};

}  // namespace

int main() {
  const bool good = explorer::explore<calls>("rpc, two clients", {.preemptions = 3, .stale_reads = 1}) &
                    explorer::explore<two_servers>("rpc, two servers", {.preemptions = 3, .stale_reads = 2}) &
                    explorer::explore<giving_up>("rpc, giving up", {.preemptions = 3, .stale_reads = 1});
  return good ? 0 : 1;
}

// Items from one task to another, and calls to the host.
#include "tools/bench/runtime/channels.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tools/bench/runtime/hel_side.hpp"
#include "tools/bench/runtime/peers.hpp"

namespace hel_bench {
namespace {

// A bounded queue of the customary kind: a mutex and two condition variables.
class locked_queue {
 public:
  void send(std::uint64_t value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return values_.size() < channel_capacity; });
    values_.push_back(value);
    not_empty_.notify_one();
  }
  std::optional<std::uint64_t> receive() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !values_.empty() || closed_; });
    if (values_.empty()) return std::nullopt;
    const std::uint64_t value = values_.front();
    values_.pop_front();
    not_full_.notify_one();
    return value;
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<std::uint64_t> values_;
  bool closed_ = false;
};

std::uint64_t through_locked_queue(std::uint64_t n, std::uint64_t ends) {
  locked_queue queue;
  std::vector<std::thread> senders, receivers;
  std::atomic<std::uint64_t> sum{0};
  const std::uint64_t each = n / ends;
  for (std::uint64_t e = 0; e < ends; ++e) {
    senders.emplace_back([&, e] {
      for (std::uint64_t i = 0; i < each; ++i) queue.send(e * each + i);
    });
    receivers.emplace_back([&] {
      std::uint64_t own = 0;
      while (const auto value = queue.receive()) own += *value;
      sum += own;
    });
  }
  for (std::thread& t : senders) t.join();
  queue.close();
  for (std::thread& t : receivers) t.join();
  return sum;
}

void pause_briefly(int& spins) {
  // With less than two processors to itself, the other thread needs this one.
  if (++spins % 1024 == 0) std::this_thread::yield();
}

// Two threads and a ring, spinning: no suspension at all.
struct spinning_ring {
  std::uint64_t slots[channel_capacity];
  alignas(128) std::atomic<std::uint64_t> head{0};
  alignas(128) std::atomic<std::uint64_t> tail{0};
};

std::uint64_t through_spinning_ring(std::uint64_t n) {
  auto ring = std::make_unique<spinning_ring>();
  std::thread sender([&] {
    std::uint64_t head = 0;
    int spins = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      while (i - head >= channel_capacity) {
        head = ring->head.load(std::memory_order_acquire);
        if (i - head >= channel_capacity) pause_briefly(spins);
      }
      ring->slots[i % channel_capacity] = i;
      ring->tail.store(i + 1, std::memory_order_release);
    }
  });
  std::uint64_t sum = 0, tail = 0;
  int spins = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    while (i >= tail) {
      tail = ring->tail.load(std::memory_order_acquire);
      if (i >= tail) pause_briefly(spins);
    }
    sum += ring->slots[i % channel_capacity];
    ring->head.store(i + 1, std::memory_order_release);
  }
  sender.join();
  return sum;
}

// Requests and answers in slots of their own, both sides spinning: what a call costs at least.
struct alignas(128) call_slot {
  std::atomic<std::uint64_t> turn{0};  // odd: asked, even: answered
  std::uint64_t value = 0;
};

std::uint64_t through_call_slots(std::uint64_t n) {
  auto slots = std::make_unique<call_slot[]>(calls_in_flight);
  std::thread server([&] {
    int spins = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      call_slot& s = slots[i % calls_in_flight];
      const std::uint64_t asked = 2 * (i / calls_in_flight) + 1;
      while (s.turn.load(std::memory_order_acquire) != asked) pause_briefly(spins);
      s.turn.store(asked + 1, std::memory_order_release);
    }
  });
  std::uint64_t sum = 0;
  int spins = 0;
  const auto collect = [&](std::uint64_t i) {
    call_slot& s = slots[i % calls_in_flight];
    while (s.turn.load(std::memory_order_acquire) != 2 * (i / calls_in_flight) + 2) pause_briefly(spins);
    sum += s.value;
  };
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i >= calls_in_flight) collect(i - calls_in_flight);
    call_slot& s = slots[i % calls_in_flight];
    s.value = i;
    s.turn.store(2 * (i / calls_in_flight) + 1, std::memory_order_release);
  }
  for (std::uint64_t i = n < calls_in_flight ? 0 : n - calls_in_flight; i < n; ++i) collect(i);
  server.join();
  return sum;
}

contender plain(std::string name, std::uint64_t (*run)(std::uint64_t)) {
  return {std::move(name), [run](const settings&) -> runner { return run; }, {}, ""};
}

benchmark make(std::string name, std::string what, std::string unit, std::uint64_t rounds) {
  benchmark b;
  b.name = std::move(name);
  b.group = "runtime";
  b.what = std::move(what);
  b.unit = std::move(unit);
  b.ours = "hel";
  b.rounds = rounds;
  b.checksum = [](std::uint64_t n) { return n * (n - 1) / 2; };
  return b;
}

}  // namespace

void add_channels(std::vector<benchmark>& all, const settings& s) {
  const std::uint64_t items = s.quick || s.counting ? 8192 : 1 << 20;
  benchmark one = make("channel", "items through a channel, both ends on one worker", "ns per item", items);
  one.timed = timing::cpu;  // with one worker always
  one.countable = true;
  one.contenders = {{"hel", hel_side::channel, {}, ""}, {"ring", hel_side::ring, {}, ""}};
  all.push_back(std::move(one));

  benchmark across = make("channel-across", "items through a channel, its ends on two workers", "ns per item",
                          s.quick ? 8192 : 1 << 18);
  across.contenders = {{"hel", hel_side::channel_across, {}, ""},
                       {"tbb", HEL_BENCH_TBB(tbb_channel)},
                       plain("mutex", [](std::uint64_t n) { return through_locked_queue(n, 1); }),
                       plain("spinning", through_spinning_ring)};
  all.push_back(std::move(across));

  benchmark many = make("channel-many", "items through a channel, four senders, four receivers", "ns per item",
                        s.quick ? 8192 : 1 << 17);
  many.contenders = {{"hel", hel_side::channel_many, {}, ""},
                     {"tbb", HEL_BENCH_TBB(tbb_queue)},
                     plain("mutex", [](std::uint64_t n) { return through_locked_queue(n, channel_ends); })};
  all.push_back(std::move(many));

  benchmark call = make("host-call", "calls of an empty host function, 64 in flight, one server thread", "ns per call",
                        s.quick ? 8192 : 1 << 16);
  call.contenders = {{"hel", hel_side::host_call, {}, ""},
                     {"registered", hel_side::registered_host_call, {}, ""},
                     plain("spinning", through_call_slots)};
  all.push_back(std::move(call));
}

}  // namespace hel_bench

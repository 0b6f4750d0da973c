#include <coroutine>
#include <exception>
#include <functional>
#include <memory>

#include "hel/channel.hpp"
#include "hel/host.hpp"
#include "hel/runtime.hpp"
#include "hel/spawn.hpp"
#include "hel/task.hpp"
#include "tools/bench/runtime/channels.hpp"
#include "tools/bench/runtime/hel_side.hpp"

namespace hel_bench::hel_side {
// What a device could call, too: its number and arguments travel through a slot.
struct registered_number {
  std::uint64_t operator()(std::uint64_t x) const { return x; }
};
}  // namespace hel_bench::hel_side
HEL_HOST_FUNCTION(hel_bench::hel_side::registered_number);

namespace hel_bench::hel_side {
namespace {

using channel_of_numbers = hel::channel<std::uint64_t>;

HEL_HOST_TASK hel::task<void> send(channel_of_numbers& c, std::uint64_t first, std::uint64_t n, bool close) {
  for (std::uint64_t i = 0; i < n; ++i) co_await c.send(first + i);
  if (close) c.close();
}

HEL_HOST_TASK hel::task<std::uint64_t> receive(channel_of_numbers& c) {
  std::uint64_t sum = 0;
  for (;;) {
    const auto value = co_await c.receive();
    if (!value) break;
    sum += *value;
  }
  co_return sum;
}

HEL_HOST_TASK hel::task<std::uint64_t> one_to_one(std::uint64_t n) {
  channel_of_numbers c(channel_capacity);
  auto receiver = hel::spawn(receive, c);
  co_await send(c, 0, n, true);
  co_return co_await receiver;
}

HEL_HOST_TASK hel::task<std::uint64_t> many_to_many(std::uint64_t n) {
  channel_of_numbers c(channel_capacity);
  hel::join_handle<void> senders[channel_ends];
  hel::join_handle<std::uint64_t> receivers[channel_ends];
  for (auto& r : receivers) r = hel::spawn(receive, c);
  const std::uint64_t each = n / channel_ends;
  for (std::uint64_t i = 0; i < channel_ends; ++i) senders[i] = hel::spawn(send, c, i * each, each, false);
  for (auto& s : senders) co_await s;
  c.close();
  std::uint64_t sum = 0;
  for (auto& r : receivers) sum += co_await r;
  co_return sum;
}

std::shared_ptr<hel::runtime> start(unsigned threads) {
  return std::make_shared<hel::runtime>(
      hel::cpu{.threads = threads, .executor = hel::executor::threads, .host_threads = 1});
}

// --- the floor: two coroutines on one thread
struct plain_ring {
  std::uint64_t slots[channel_capacity], head = 0, tail = 0;
  bool closed = false;
  std::coroutine_handle<> sender, receiver;

  struct room {
    plain_ring& r;
    bool await_ready() const noexcept { return r.tail - r.head < channel_capacity; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return r.receiver; }
    void await_resume() const noexcept {}
  };
  struct something {
    plain_ring& r;
    bool await_ready() const noexcept { return r.tail != r.head || r.closed; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept { return r.sender; }
    void await_resume() const noexcept {}
  };
};

struct strand {
  struct promise_type {
    strand get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

strand send_to_ring(plain_ring& r, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    co_await plain_ring::room{r};
    r.slots[r.tail++ % channel_capacity] = i;
  }
  r.closed = true;
  r.receiver.resume();
}

strand receive_from_ring(plain_ring& r, std::uint64_t& sum) {
  for (;;) {
    co_await plain_ring::something{r};
    if (r.head == r.tail) break;
    sum += r.slots[r.head++ % channel_capacity];
  }
}

// --- host calls
struct same_number {
  std::uint64_t operator()(std::uint64_t x) const { return x; }
};

template <class Function>
HEL_HOST_TASK hel::task<std::uint64_t> call_repeatedly(std::uint64_t first, std::uint64_t n) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < n; ++i) sum += co_await hel::host(Function{}, first + i);
  co_return sum;
}

template <class Function>
HEL_HOST_TASK hel::task<std::uint64_t> call_from_many(std::uint64_t n) {
  hel::join_handle<std::uint64_t> callers[calls_in_flight];
  const std::uint64_t each = n / calls_in_flight;
  for (std::uint64_t i = 0; i < calls_in_flight; ++i)
    callers[i] = hel::spawn(call_repeatedly<Function>, i * each, each);
  std::uint64_t sum = 0;
  for (auto& c : callers) sum += co_await c;
  co_return sum;
}

}  // namespace

runner channel(const settings&) {
  return [rt = start(1)](std::uint64_t rounds) { return rt->launch(one_to_one, rounds).get(); };
}

runner channel_across(const settings&) {
  return [sending = start(1), receiving = start(1)](std::uint64_t rounds) {
    channel_of_numbers c(channel_capacity);
    auto receiver = receiving->launch(receive, c);
    auto sender = sending->launch(send, c, std::uint64_t{0}, rounds, true);
    sender.get();
    return receiver.get();
  };
}

runner channel_many(const settings& s) {
  return [rt = start(s.threads)](std::uint64_t rounds) { return rt->launch(many_to_many, rounds).get(); };
}

runner ring(const settings&) {
  return [](std::uint64_t rounds) {
    auto r = std::make_unique<plain_ring>();
    std::uint64_t sum = 0;
    const strand sender = send_to_ring(*r, rounds), receiver = receive_from_ring(*r, sum);
    r->sender = sender.handle;
    r->receiver = receiver.handle;
    r->sender.resume();
    r->sender.destroy();
    r->receiver.destroy();
    return sum;
  };
}

runner host_call(const settings& s) {
  return
      [rt = start(s.threads)](std::uint64_t rounds) { return rt->launch(call_from_many<same_number>, rounds).get(); };
}

runner registered_host_call(const settings& s) {
  return [rt = start(s.threads)](std::uint64_t rounds) {
    return rt->launch(call_from_many<registered_number>, rounds).get();
  };
}

}  // namespace hel_bench::hel_side

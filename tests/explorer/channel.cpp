// The channel's protocol: who waits is woken once, with a value or because the channel was closed.
#include "hel/core/channel_core.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;
using namespace hel::core;

struct party : channel_party {
  explorer::plain<int> value;
  atomic<int> woken;
};

struct slots {
  explorer::plain<int> ring[1];
  void to_slot(std::size_t i, channel_party& p) { ring[i].write(static_cast<party&>(p).value.read()); }
  void from_slot(std::size_t i, channel_party& p) { static_cast<party&>(p).value.write(ring[i].read()); }
  static void direct(channel_party& from, channel_party& to) {
    static_cast<party&>(to).value.write(static_cast<party&>(from).value.read());
  }
};

struct channel_scenario : explorer::scenario {
  channel_scenario(unsigned threads, std::size_t capacity) : scenario(threads), channel(capacity) {}

  void wake(channel_party* p) {
    if (p) static_cast<party*>(p)->woken.store_release(1);
  }
  // True: the operation is over, and whether it was served is known.
  bool over(party& p, const channel_outcome& o) {
    if (o.step == channel_step::woke) wake(o.peer);
    if (o.step != channel_step::suspended) return o.step != channel_step::closed;
    while (p.woken.load_acquire() == 0) explorer::pause();
    return p.served;
  }
  void send(int i) {
    parties[i].value.write(i);
    if (over(parties[i], channel.send(memory, parties[i], true))) ++sent[i];
  }
  void receive(int place) {
    party& p = parties[place];
    if (!over(p, channel.receive(memory, p, true))) return;
    const int i = p.value.read();
    require(i >= 1 && i <= 3, "nobody has sent that");
    ++received[i];
  }
  void close() {
    for (channel_party* p = channel.close().first; p;) {
      channel_party* const next = p->next;
      wake(p);
      p = next;
    }
  }
  void check() override {
    party p;
    while (channel.receive(memory, p, false).step != channel_step::would_wait) {
      if (!p.served) break;
      ++received[p.value.read()];
      p.served = false;
    }
    for (int i = 1; i <= 3; ++i) {
      require(received[i] >= sent[i], "a value is lost");
      require(received[i] <= sent[i], "a value was received twice, or not sent");
    }
  }
  channel_core<slots> channel;
  slots memory;
  party parties[6];
  int sent[4] = {}, received[4] = {};
};

struct two_senders : channel_scenario {
  two_senders() : channel_scenario(3, 1) {}
  void run(unsigned t) override {
    if (t < 2) return send(1 + static_cast<int>(t));
    receive(4);
    receive(5);
  }
};

struct rendezvous : channel_scenario {
  rendezvous() : channel_scenario(3, 0) {}
  void run(unsigned t) override {
    if (t == 0) return send(1);
    if (t == 1) return receive(4);
    close();
  }
};

// A receiver that is taken back while a value comes.
struct taking_back : channel_scenario {
  taking_back() : channel_scenario(3, 1) {}
  void run(unsigned t) override {
    party& p = parties[4];
    if (t == 0) return send(1);
    if (t == 1) {
      const auto o = channel.receive(memory, p, true);
      if (o.step == channel_step::suspended) {
        queued.store_release(1);
        while (p.woken.load_acquire() == 0) explorer::pause();
        if (withdrawn) return;
      }
      if (p.served) ++received[p.value.read()];
    } else if (queued.load_acquire() == 1 && channel.withdraw(p)) {
      withdrawn = true;
      wake(&p);
    }
  }
  atomic<int> queued;
  bool withdrawn = false;
};

}  // namespace

int main() {
  const bool good =
      explorer::explore<two_senders>("channel, two senders", {.preemptions = 3, .stale_reads = 1}) &
      explorer::explore<rendezvous>("channel, rendezvous and closing", {.preemptions = 3, .stale_reads = 1}) &
      explorer::explore<taking_back>("channel, taking back", {.preemptions = 3, .stale_reads = 1});
  return good ? 0 : 1;
}

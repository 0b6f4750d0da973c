// The mailbox, with senders and receivers that go around its ring.
#include "hel/core/mailbox.hpp"
#include "tests/explorer/explorer.hpp"

namespace {

using explorer::require;
using box = hel::core::mailbox<int>;

struct mailbox_scenario : explorer::scenario {
  explicit mailbox_scenario(unsigned threads) : scenario(threads) {}
  bool send(int i) {
    payload[i].write(i);
    if (!mail.try_send(i)) return false;
    ++sent[i];
    return true;
  }
  void receive() {
    int i = 0;
    if (!mail.try_receive(i)) return;
    require(i >= 1 && i <= 4, "nobody has sent that");
    require(payload[i].read() == i, "the payload was not there");
    ++received[i];
  }
  void check() override {
    int i = 0;
    while (mail.try_receive(i)) ++received[i];
    for (i = 1; i <= 4; ++i) {
      require(received[i] >= sent[i], "an item is lost");
      require(received[i] <= sent[i], "an item was received twice");
    }
  }
  box::cell cells[2];
  box mail{cells, 2};
  explorer::plain<int> payload[5];
  int sent[5] = {}, received[5] = {};
};

struct two_senders : mailbox_scenario {
  two_senders() : mailbox_scenario(3) {}
  void run(unsigned t) override {
    if (t == 2) {
      receive();
      receive();
    } else {
      send(1 + static_cast<int>(t));
      send(3 + static_cast<int>(t));
    }
  }
};

struct two_receivers : mailbox_scenario {
  two_receivers() : mailbox_scenario(3) {}
  void run(unsigned t) override {
    if (t == 0) {
      for (int i = 1; i <= 3; ++i) send(i);
    } else {
      receive();
      receive();
    }
  }
};

}  // namespace

int main() {
  const bool good = explorer::explore<two_senders>("mailbox, two senders", {.preemptions = 3, .stale_reads = 2}) &
                    explorer::explore<two_receivers>("mailbox, two receivers", {.preemptions = 3, .stale_reads = 2});
  return good ? 0 : 1;
}

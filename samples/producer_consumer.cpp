// producer_consumer: two producers and two consumers share a bounded channel. A producer suspends while it is full, a
// consumer while it is empty; nobody spins.
#include <iostream>

#include "hel/hel.hpp"

HEL_TASK hel::task<void> produce(hel::channel<int>& out, int first, int count) {
  for (int i = 0; i < count; ++i) {
    co_await out.send(first + i);
  }
}

HEL_TASK hel::task<long> consume(hel::channel<int>& in) {
  long sum = 0;
  for (;;) {
    auto value = co_await in.receive();
    if (!value) break;  // closed and empty
    sum += *value;
  }
  co_return sum;
}

HEL_TASK hel::task<long> run(int count) {
  hel::channel<int> channel(8);
  auto consumer1 = hel::spawn(consume, channel);
  auto consumer2 = hel::spawn(consume, channel);
  co_await hel::when_all(produce(channel, 0, count), produce(channel, count, count));
  channel.close();
  long sum1 = co_await consumer1;
  long sum2 = co_await consumer2;
  co_return sum1 + sum2;
}

int main() {
  hel::runtime rt;
  auto app = rt.launch(run, 50000);
  std::cout << "100000 values, sum " << app.get() << '\n';
}

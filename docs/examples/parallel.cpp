// Tasks side by side: spawn and join, when_all, when_any, a channel.
#include <chrono>
#include <cstdio>
#include <vector>

#include "hel/hel.hpp"

using namespace std::chrono_literals;

HEL_TASK hel::task<long> sum(long from, long to) {
  long s = 0;
  for (long i = from; i < to; ++i) s += i;
  co_return s;
}

HEL_TASK hel::task<long> halves(long n) {
  auto upper = hel::spawn(sum, n / 2, n);  // any worker
  long lower = co_await sum(0, n / 2);     // this worker, at once
  co_return lower + co_await upper;
}

HEL_TASK hel::task<long> three(long n) {
  auto r = co_await hel::when_all(sum(0, n), sum(n, 2 * n), halves(n));
  co_return hel::get<0>(r) + hel::get<1>(r) + hel::get<2>(r);
}

HEL_HOST_TASK hel::task<long> many(long n) {
  std::vector<hel::task<long>> parts;
  for (long i = 0; i < 10; ++i) parts.push_back(sum(i * n, (i + 1) * n));
  long total = 0;
  for (long part : co_await hel::when_all(std::move(parts))) total += part;
  co_return total;
}

HEL_HOST_TASK hel::task<long> answer_after(std::chrono::milliseconds time, long answer) {
  co_await hel::sleep_for(time);
  co_return answer;
}

// What is not there in time is given up.
HEL_HOST_TASK hel::task<long> in_time(std::chrono::milliseconds time) {
  auto r = co_await hel::when_any(answer_after(time, 42), answer_after(50ms, 0));
  co_return r.index == 0 && r.value ? *r.value : -1;
}

HEL_TASK hel::task<void> count_to(hel::channel<int>& out, int n) {
  for (int i = 1; i <= n; ++i)
    if (!co_await out.send(i)) break;  // closed: nobody reads any more
  out.close();
}

HEL_TASK hel::task<long> through_channel(int n) {
  hel::channel<int> numbers(4);
  auto producer = hel::spawn(count_to, numbers, n);
  long total = 0;
  for (;;) {
    auto value = co_await numbers.receive();
    if (!value) break;  // closed and empty
    total += *value;
  }
  co_await producer;  // before the channel goes
  co_return total;
}

int main() {
  hel::runtime rt;
  std::printf("%ld\n", rt.launch(halves, 1000L).get());
  std::printf("%ld\n", rt.launch(three, 1000L).get());
  std::printf("%ld\n", rt.launch(many, 100L).get());
  std::printf("%ld\n", rt.launch(in_time, 0ms).get());
  std::printf("%ld\n", rt.launch(in_time, 60'000ms).get());
  std::printf("%ld\n", rt.launch(through_channel, 100).get());
}

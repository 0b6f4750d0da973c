// A program of two files whose tasks await each other's. Prints what CPU and device must agree about.
#include <cstdio>

#include "shared.hpp"

// There is another one of this name, and number, in the other file.
HEL_TASK static hel::task<int> local(int n) { co_return n + 1000; }

HEL_TASK hel::task<int> collatz_odd(int n, int steps) {
  if (n == 1) co_return steps;
  co_return co_await collatz_even(3 * n + 1, steps + 1);
}

HEL_TASK static hel::task<long> total(int n) {
  long sum = co_await local(n);
  sum += co_await square(3L) + co_await square(static_cast<short>(4));
  // Frames of the other file go through the queues of all.
  auto a = hel::spawn(collatz_even, n, 0);
  auto b = hel::spawn(collatz_odd, n + 1, 0);
  sum += 100000L * (co_await a + co_await b);
  co_return sum;
}

int main() {
  hel::runtime rt;
  auto far = rt.launch(collatz_even, 6, 0);  // in the other file
  auto near = rt.launch(total, 54);
  auto shared = rt.launch(twice, 21);
  std::printf("%d %ld %d %d\n", far.get(), near.get(), shared.get(), launch_second(rt));
}

// fib [n]: Fibonacci numbers by recursion, every call a task.
#include <cstdlib>
#include <iostream>

#include "hel/hel.hpp"

// Both calls run at once on the calling worker: no queue, no other thread.
HEL_TASK hel::task<long> fib(int n) {
  if (n < 2) co_return n;
  long a = co_await fib(n - 1);
  long b = co_await fib(n - 2);
  co_return a + b;
}

// Here one half may be stolen by another worker; small numbers are not worth the offer.
HEL_TASK hel::task<long> parallel_fib(int n) {
  if (n < 12) co_return co_await fib(n);
  auto a = hel::spawn(parallel_fib, n - 1);
  long b = co_await parallel_fib(n - 2);
  co_return co_await a + b;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 20;
  if (n < 0 || n > 90) {
    std::cerr << "usage: fib [n], with n from 0 to 90\n";
    return 2;
  }
  hel::runtime rt;
  auto awaited = rt.launch(fib, n);
  auto spawned = rt.launch(parallel_fib, n);
  std::cout << "fib(" << n << ") = " << awaited.get() << '\n';
  std::cout << "in parallel: " << spawned.get() << '\n';
}

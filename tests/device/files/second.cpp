#include "shared.hpp"

HEL_TASK static hel::task<int> local(int n) { co_return n + 5; }

HEL_TASK hel::task<int> collatz_even(int n, int steps) {
  if (n % 2 != 0) co_return co_await collatz_odd(n, steps);
  co_return co_await collatz_even(n / 2, steps + 1);
}

HEL_TASK static hel::task<int> total(int n) {
  co_return co_await local(n) + co_await square(2) + static_cast<int>(co_await square(3L));
}

int launch_second(hel::runtime& rt) { return rt.launch(total, 7).get(); }

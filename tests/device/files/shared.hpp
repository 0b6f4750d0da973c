// What the two files share: tasks that one has and the other awaits, and coroutines of the header itself.
#pragma once

#include "hel/hel.hpp"

HEL_TASK hel::task<int> collatz_even(int n, int steps);  // second.cpp
HEL_TASK hel::task<int> collatz_odd(int n, int steps);   // first.cpp

// Both files have it, with a number of their own; one is linked.
HEL_TASK inline hel::task<int> twice(int n) { co_return 2 * n; }

// Each file has instantiations that the other has not, and one that both have.
template <class T>
HEL_TASK hel::task<T> square(T v) {
  co_return v* static_cast<T>(co_await twice(1)) / 2;
}

int launch_second(hel::runtime& rt);

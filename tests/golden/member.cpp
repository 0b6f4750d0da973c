#include "golden.hpp"

struct account {
  int balance = 0;
  job deposit(const int& amount);
};

// Not a coroutine: stays as it is.
inline int twice(int v) { return v * 2; }

job account::deposit(const int& amount) {
  int before = balance;
  balance = before + co_await wait{twice(amount)};
  auto undo = [this, before] { balance = before; };
  co_await wait{0};
  undo();
}

#include "golden.hpp"

job choose(bool left) {
  int n = left ? co_await wait{1} : 2;
  if (n == co_await wait{1}) co_return;
  co_yield n;
}

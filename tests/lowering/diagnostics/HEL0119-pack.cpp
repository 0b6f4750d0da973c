#include "job.hpp"
template <class... T> job all(T... values) {
  auto scaled = [&](auto... by) { return ((values * by) + ...); };
  co_await wait{static_cast<int>(scaled(T(2)...))};
}
int main() { all(1, 2.5); }

// error: HEL0119 3:43

// The program of README.md.
#include <cstdio>

#include "hel/hel.hpp"

HEL_TASK hel::task<int> square(int n) { co_return n * n; }

HEL_TASK hel::task<int> sum_of_squares(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i) sum += co_await square(i);
  co_return sum;
}

int main() {
  hel::runtime rt;
  auto app = rt.launch(sum_of_squares, 10);
  std::printf("%d\n", app.get());
}

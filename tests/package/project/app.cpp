#include "half.hpp"
#include "step.hpp"

#include <hel/hel.hpp>

#include <cstdio>

HEL_HOST_TASK hel::task<int> sum(int n) {
  int total = 0;
  for (int i = 0; i < n; i += step()) total += co_await half(2 * i);
  co_return total;
}

int main() {
  hel::runtime rt;
  auto app = rt.launch(sum, 10);
  std::printf("%d\n", app.get());
}

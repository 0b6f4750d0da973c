// warp_sum: a task of 32 lanes, one coroutine instance each, that add up with shuffles. On the CPU the lanes are
// fibers.
#include <cstdint>
#include <iostream>

#include "hel/hel.hpp"

struct squares {
  long sum;           // of all squares below n
  std::uint32_t odd;  // which lanes had an odd sum of their own
};

HEL_TASK hel::warp_task<squares> sum_of_squares(long n) {
  long sum = 0;
  for (long i = hel::lane(); i < n; i += hel::warp_size) sum += i * i;
  squares result{};
  result.odd = hel::ballot(sum % 2 != 0);
  co_await hel::yield();  // the whole warp steps aside
  for (unsigned distance = hel::warp_size / 2; distance > 0; distance /= 2) {
    sum += hel::shfl_down(sum, distance);
  }
  result.sum = sum;  // complete in lane 0, whose result counts
  co_return result;
}

HEL_TASK hel::task<squares> run(long n) {
  squares s = co_await hel::warp(sum_of_squares, n);
  co_return s;
}

int main() {
  hel::runtime rt;
  auto app = rt.launch(run, 1000L);
  squares s = app.get();
  std::cout << "sum of the squares below 1000: " << s.sum << '\n';
  std::cout << "lanes with an odd part: " << std::hex << s.odd << '\n';
}

// Memory that tasks and host share.
#include <cstdio>
#include <numeric>

#include "hel/hel.hpp"

HEL_TASK hel::task<void> scale(hel::buffer_view<double> v, double factor) {
  for (std::size_t i = 0; i < v.size(); ++i) v[i] *= factor;
  co_return;
}

// The first half is scaled, the second a copy of it; the last elements go to the host.
HEL_TASK hel::task<void> fold(hel::buffer_view<double> v, hel::host_memory<double> tail) {
  auto front = v.part(0, v.size() / 2);
  co_await scale(front, 10);
  co_await hel::copy(v.part(v.size() / 2, front.size()), front);
  co_await hel::copy(tail, v.part(v.size() - tail.size, tail.size));
}

int main() {
  hel::runtime rt;
  hel::buffer<double> data = rt.make_buffer<double>(1000);
  {
    auto h = data.host_view();
    std::iota(h.begin(), h.end(), 0.0);
  }
  double tail[2];
  rt.launch(fold, data.view(), hel::on_host(tail, 2)).get();
  auto h = data.host_view(hel::read_only);
  std::printf("%g %g %g\n", h[3], h[503], tail[1]);
}

// The host's side: several applications at once, waiting for a time, cancelling, stopping.
#include <chrono>
#include <cstdio>

#include "hel/hel.hpp"

using namespace std::chrono_literals;

HEL_HOST_TASK hel::task<int> soon(int n) {
  co_await hel::sleep_for(1ms);
  co_return n;
}

HEL_HOST_TASK hel::task<void> never(hel::event& e) { co_await e.wait(); }

HEL_HOST_TASK hel::task<int> endless() {
  hel::event e;
  auto child = hel::spawn(never, e);
  co_await child;
  co_return 0;
}

int main() {
  hel::runtime rt;
  auto first = rt.launch(soon, 1);
  auto second = rt.launch(hel::cancellable, endless);
  while (!first.wait_for(1s)) std::puts("still waiting");
  std::printf("first: %d\n", first.get());
  if (!second.wait_for(10ms)) second.cancel();  // it, and all that it has spawned
  auto result = second.get_expected();
  std::printf("second: %s\n", result ? "over" : hel::to_string(result.error()).c_str());
  rt.stop();  // waits for the rest
  try {
    (void)rt.launch(soon, 3);
  } catch (const std::logic_error& e) {
    std::printf("third: %s\n", e.what());
  }
}

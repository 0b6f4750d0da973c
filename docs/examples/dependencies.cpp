// dependencies: tasks that start when others are over.
#include <cstdio>
#include <vector>

#include "hel/hel.hpp"

HEL_TASK hel::task<long> load(int part) {
  co_await hel::yield();
  co_return 10L * part;
}

HEL_TASK hel::task<void> report(const char* what) {
  std::printf("%s\n", what);
  co_return;
}

// How many tasks there are to wait for is known at run time only.
HEL_HOST_TASK hel::task<long> load_all(int parts) {
  std::vector<hel::join_handle<long>> loads;
  for (int i = 0; i < parts; ++i) loads.push_back(hel::spawn(load, i));
  auto all = hel::spawn_after(loads, report, "all parts are loaded");
  co_await all;
  long sum = 0;
  for (auto& l : loads) sum += co_await l;
  co_return sum;
}

// What waits for the ticket is there before what completes it.
HEL_TASK hel::task<void> ordered() {
  hel::event go;
  hel::ticket_issuer second;
  auto last = hel::spawn_after(second.ticket(), report, "third");
  auto first = hel::spawn_after(go, report, "first");
  auto middle = hel::spawn_after(first, report, "second");
  if (!second.bind(middle)) co_await hel::fail(1);  // hel::errc::cycle when `middle` waits for `last`
  go.set();
  co_await last;
}

int main() {
  hel::runtime rt;
  std::printf("%ld\n", rt.launch(load_all, 4).get());
  rt.launch(ordered).get();
}

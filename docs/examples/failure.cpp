// How a task ends without a result, and who notices.
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "hel/hel.hpp"

enum class shop : int { sold_out = 1, no_such_item = 2 };

HEL_TASK hel::task<int> price(int item) {
  if (item > 2) co_await hel::fail(shop::no_such_item);  // never continues
  co_return 10 * item;
}

// Fails with price(): its frame is destroyed, locals and all, where it waits.
HEL_TASK hel::task<int> total(int a, int b) { co_return co_await price(a) + co_await price(b); }

// Stops the failure and looks at it.
HEL_TASK hel::task<int> total_or_zero(int a, int b) {
  hel::expected<int, hel::error> sum = co_await hel::as_expected(total(a, b));
  if (!sum) co_return -sum.error().code;
  co_return *sum;
}

// Host tasks may throw as well; the exception reaches whoever awaits.
HEL_HOST_TASK hel::task<int> at(std::vector<int> list, std::size_t i) { co_return list.at(i); }

HEL_HOST_TASK hel::task<int> careful(std::vector<int> list) {
  try {
    co_return co_await at(list, 7);
  } catch (const std::out_of_range&) {
    co_return -1;
  }
}

int main() {
  hel::runtime rt;
  std::printf("%d\n", rt.launch(total, 1, 2).get());
  std::printf("%d\n", rt.launch(total_or_zero, 1, 7).get());
  try {
    rt.launch(total, 1, 7).get();
  } catch (const hel::failure& f) {  // outside of tasks a failure is an exception
    std::printf("%s\n", f.what());
  }
  std::printf("%d\n", rt.launch(careful, std::vector<int>{1, 2, 3}).get());
}

// Tasks that call tasks: functions, members, lambdas, results of any kind.
#include <cstdio>
#include <memory>

#include "hel/hel.hpp"

HEL_TASK hel::task<int> twice(int n) { co_return 2 * n; }

HEL_TASK hel::task<int&> larger(int& a, int& b) { co_return a < b ? b : a; }

struct counter {
  int count = 0;
  HEL_TASK hel::task<void> add(int n) {  // the object must outlive the task
    count += co_await twice(n);
  }
};

HEL_HOST_TASK hel::task<std::unique_ptr<int>> boxed(int n) { co_return std::make_unique<int>(n); }

HEL_HOST_TASK hel::task<int> everything() {
  counter c;
  co_await c.add(3);
  int a = 1, b = 2;
  (co_await larger(a, b)) = 10;
  std::unique_ptr<int> box = co_await boxed(100);
  auto next = [](int n) HEL_HOST_TASK -> hel::task<int> { co_return n + 1; };
  co_return c.count + a + b + *box + co_await next(4);
}

int main() {
  hel::runtime rt;
  std::printf("%d\n", rt.launch(everything).get());
}

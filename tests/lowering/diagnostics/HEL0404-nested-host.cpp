// options: cuda
#include <hel/task.hpp>
#include <hel/yield.hpp>
struct HEL_HOST_TASK host_job {
  struct promise_type {
    HEL_HD host_job get_return_object() { return {}; }
    HEL_HD std::suspend_always initial_suspend() noexcept { return {}; }
    HEL_HD std::suspend_always final_suspend() noexcept { return {}; }
    HEL_HD void return_void() {}
    HEL_HD void unhandled_exception() {}
  };
};
HEL_TASK hel::task<int> outer(int n) {
  struct counter {
    int by;
    hel::task<int> up(int v) { co_await hel::yield(); co_return v + by; }
    HEL_TASK hel::task<int> down(int v) { co_await hel::yield(); co_return v - by; }
  };
  counter c{n};
  auto f = []() -> host_job { co_await hel::yield(); };
  auto g = [n]() -> hel::task<int> { co_await hel::yield(); co_return n; };
  f();
  co_return co_await c.up(1) + co_await c.down(2) + co_await g();
}

// error: HEL0404 16:20
// error: HEL0404 20:12

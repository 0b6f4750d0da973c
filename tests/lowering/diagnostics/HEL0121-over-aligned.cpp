#include "job.hpp"
#include <cstdlib>
struct pooled {
  struct promise_type {
    static void* operator new(std::size_t n) { return std::malloc(n); }
    static void operator delete(void* p) { std::free(p); }
    pooled get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
struct alignas(64) line { int v; };
pooled work() {
  line l{1};
  co_await wait{1};
  l.v = 2;
}
int main() { work(); }

// error: HEL0121 15:8

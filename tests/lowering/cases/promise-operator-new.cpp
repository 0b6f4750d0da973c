// case:   operator new with a preview of the parameters, sized delete
// expect: new | v3 delete1 used1
#include "case.hpp"
#include <cstddef>
#include <cstdlib>
struct Arena { int used = 0, freed = 0; };
struct Placed;
struct PlacedPromise {
  static void* operator new(std::size_t n, Arena& a, int) { ++a.used; say("new"); void* p = std::malloc(n + 16); *static_cast<std::size_t*>(p) = n; return static_cast<char*>(p) + 16; }
  static void operator delete(void* p, std::size_t n) { char* q = static_cast<char*>(p) - 16; say("delete", *reinterpret_cast<std::size_t*>(q) == n); std::free(q); }
  Placed get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Placed : Stepped<PlacedPromise> {
  using promise_type = PlacedPromise;
  using Stepped::Stepped;
};
Placed PlacedPromise::get_return_object() { return Placed{std::coroutine_handle<PlacedPromise>::from_promise(*this)}; }
Placed body(Arena& a, int v) { co_await Pause{0}; say("v", v + a.used); }
int main() {
  Arena a;
  { Placed j = body(a, 2); j.run(); }
  say("used", a.used);
}

// case:   a promise's operator new without parameters, and allocation that throws
// expect: +1 new m1 P -1 ~P -1 delete +2 -2 bad_alloc
#include "case.hpp"
#include <cstddef>
#include <cstdlib>
#include <new>
struct Plain;
struct PlainPromise {
  static inline bool fail = false;
  PlainPromise() { say("P"); }
  ~PlainPromise() { say("~P"); }
  static void* operator new(std::size_t n) { if (fail) throw std::bad_alloc(); say("new"); return std::malloc(n); }
  static void operator delete(void* p) { say("delete"); std::free(p); }
  Plain get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
};
struct Plain : Stepped<PlainPromise> {
  using promise_type = PlainPromise;
  using Stepped::Stepped;
};
Plain PlainPromise::get_return_object() { return Plain{std::coroutine_handle<PlainPromise>::from_promise(*this)}; }
Plain body(Trace) { co_return; }
int main() {
  { Plain j = body(Trace(1)); j.run(); }
  PlainPromise::fail = true;
  try { Plain j = body(Trace(2)); } catch (const std::bad_alloc&) { say("bad_alloc"); }
}

// case:   a generator with iterators, recursive through a vector, destroyed half way
// expect: +0 v0 v0 v1 v10 -0 +7 t7 -7 +8 t8 -8 +5 -5 f1 caught2 alive0
#include "case.hpp"
#include <iterator>
template <class T>
struct Generator {
  struct promise_type {
    T* value = nullptr;
    std::exception_ptr error;
    Generator get_return_object() { return Generator{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T& v) { value = &v; return {}; }
    std::suspend_always yield_value(T&& v) { value = &v; return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
    template <class U> void await_transform(U&&) = delete;
  };
  struct iterator {
    std::coroutine_handle<promise_type> h;
    T& operator*() const { return *h.promise().value; }
    iterator& operator++() { h.resume(); if (h.done() && h.promise().error) std::rethrow_exception(h.promise().error); return *this; }
    bool operator!=(std::default_sentinel_t) const { return !h.done(); }
  };
  std::coroutine_handle<promise_type> h;
  explicit Generator(std::coroutine_handle<promise_type> c) : h(c) {}
  Generator(Generator&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Generator() { if (h) h.destroy(); }
  iterator begin() { iterator i{h}; ++i; return i; }
  std::default_sentinel_t end() { return {}; }
};
Generator<int> range(int a, int b) { Trace t(a); for (int i = a; i < b; ++i) co_yield i; }
Generator<int> twice(int n) { for (int v : range(0, n)) { co_yield v; co_yield v * 10; } }
Generator<const Trace> objects() { co_yield Trace(7); const Trace t(8); co_yield t; }
Generator<int> failing() { co_yield 1; throw 2; }
int main() {
  for (int v : twice(2)) say("v", v);
  for (const Trace& t : objects()) say("t", t.id);
  for (int v : range(5, 100)) if (v == 6) break;
  try { for (int v : failing()) say("f", v); } catch (int e) { say("caught", e); }
  say("alive", Trace::alive);
}

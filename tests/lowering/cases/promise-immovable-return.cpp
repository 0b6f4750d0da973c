// case:   a return object that cannot be moved, built by get_return_object
// expect: made body | same1 end gone
#include "case.hpp"
struct Pinned {
  struct promise_type {
    Pinned get_return_object() { return Pinned(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
  Pinned* self = this;
  explicit Pinned(std::coroutine_handle<promise_type> c) : h(c) { say("made"); }
  Pinned(const Pinned&) = delete;
  ~Pinned() { h.destroy(); say("gone"); }
};
Pinned body() { say("body"); co_await Pause{0}; say("end"); }
int main() { Pinned p = body(); say("same", p.self == &p); p.h.resume(); }

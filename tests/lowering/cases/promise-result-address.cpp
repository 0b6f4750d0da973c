// case:   the result is built where the caller has it, also if allocation may fail; a reference from get_return_object
// expect: +40 m40 -40 -40 value42 gone1 +1 failed -1 none1 alive1 left0
#include <cstddef>
#include <cstdlib>
#include "case.hpp"
struct Linked {
  struct promise_type {
    Linked* owner = nullptr;
    static inline bool fail = false;
    static void* operator new(std::size_t n) noexcept { return fail ? nullptr : std::malloc(n); }
    static void operator delete(void* p) { std::free(p); }
    static Linked get_return_object_on_allocation_failure() { say("failed"); return Linked(); }
    Linked get_return_object() { return Linked(*this); }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(int n) { if (owner) owner->value = n; }
    void unhandled_exception() {}
    ~promise_type() { if (owner) owner->promise = nullptr; }
  };
  promise_type* promise = nullptr;
  int value = -1;
  Linked() = default;
  explicit Linked(promise_type& p) : promise(&p) { p.owner = this; }
  Linked(const Linked& o) : promise(o.promise), value(o.value) { say("copied"); }
  ~Linked() { if (promise) promise->owner = nullptr; }
  void resume() { std::coroutine_handle<promise_type>::from_promise(*promise).resume(); }
};
Linked linked(Trace t, int n) { co_return t.plus(n); }

struct Copied {
  struct promise_type {
    static inline int alive = 0;
    promise_type() { ++alive; }
    promise_type(const promise_type&) { ++alive; }
    ~promise_type() { --alive; }
    promise_type& get_return_object() { return *this; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  Copied(promise_type& p) { say("alive", p.alive > 0); }
};
Copied copied() { co_return; }
int main() {
  {
    Linked l = linked(Trace(40), 2);
    l.resume();
    say("value", l.value);
    say("gone", l.promise == nullptr);
  }
  Linked::promise_type::fail = true;
  Linked none = linked(Trace(1), 2);
  say("none", none.promise == nullptr);
  copied();
  say("left", Copied::promise_type::alive);
}

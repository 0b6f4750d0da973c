// case:   the value category of await_resume is kept
// expect: ~ # +1 | ~ -1 # +1 | lvalue | ~ -1 # +1 | lvalue | rvalue | ~ -1 # +1 | lvalue | rvalue | const | ~
// expect: -1 # +1 | lvalue | rvalue | const | same1 | ~ -1 # +1 | lvalue | rvalue | const | same1 | same1 | ~
// expect: -1 # +1 | lvalue | rvalue | const | same1 | same1 | +8 | ~ -8 -7 # +1 | lvalue | rvalue | const |
// expect: same1 | same1 | +8 | =8 -8 | ~ -8 # +1 | lvalue | rvalue | const | same1 | same1 | +8 | =8 -8 | m8 |
// expect: ~ -8 -8 # +1 | lvalue | rvalue | const | same1 | same1 | +8 | =8 -8 | m8 | c8 id16 -8 -8 -8 ~ #
// expect: alive0
#include "case.hpp"
#include <type_traits>
template <class R>
struct As {
  Trace& t;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>) { say("|"); }
  R await_resume() { return static_cast<R>(t); }
};
static void take(Trace&) { say("lvalue"); }
static void take(Trace&&) { say("rvalue"); }
static void take(const Trace&) { say("const"); }
VoidJob body() {
  Trace t(1);
  take(co_await As<Trace&>{t});
  take(co_await As<Trace&&>{t});
  take(co_await As<const Trace&>{t});
  Trace& r = co_await As<Trace&>{t};
  say("same", &r == &t);
  auto&& f = co_await As<Trace&&>{t};
  static_assert(std::is_same_v<decltype(f), Trace&&>);
  say("same", &f == &t);
  (co_await As<Trace&>{t}).id = 7;
  co_await As<Trace&>{t} = Trace(8);
  Trace moved = co_await As<Trace&&>{t};
  Trace copied = co_await As<const Trace&>{t};
  say("id", moved.id + copied.id);
}
int main() { at_each_suspension(body); }

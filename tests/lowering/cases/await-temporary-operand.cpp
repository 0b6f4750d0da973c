// case:   the operand of operator co_await outlives its awaiter
// expect: ~ # +1 +11 | ~ -11 -1 # +1 +11 | +2 +12 | ~ -12 -2 -11 -1 # +1 +11 | +2 +12 | v26 -12 -2 -11 -1 ~ #
// expect: alive0
#include "case.hpp"
struct Operand {
  Trace t;
  struct Awaiter {
    const Operand& o;
    Trace own{o.t.id + 10};
    bool await_ready() { return false; }
    void await_suspend(std::coroutine_handle<>) { say("|"); }
    int await_resume() { return o.t.id + own.id; }
  };
  Awaiter operator co_await() const { return Awaiter{*this}; }
};
VoidJob body() { say("v", co_await Operand{Trace(1)} + co_await Operand{Trace(2)}); }
int main() { at_each_suspension(body); }

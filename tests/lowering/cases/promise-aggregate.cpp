// case:   a promise that is an aggregate is not initialized from the parameters
// native: clang-19 initializes it with them in parentheses; [dcl.fct.def.coroutine] asks for a viable constructor
// expect: +2 +1 -1 -2
#include "case.hpp"
struct Fire {
  struct promise_type {
    Trace t{1};
    Fire get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
Fire body(const Trace&) { co_return; }
int main() { Trace t(2); body(t); }

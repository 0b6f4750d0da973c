// options: cuda
#include <hel/hel.hpp>
struct eager {
  struct promise_type {
    HEL_HD eager get_return_object() { return {}; }
    HEL_HD std::suspend_never initial_suspend() noexcept { return {}; }
    HEL_HD std::suspend_always final_suspend() noexcept { return {}; }
    HEL_HD void return_void() {}
    HEL_HD void unhandled_exception() {}
  };
};
HEL_TASK eager body() { co_return; }

// error: HEL0403 12:16

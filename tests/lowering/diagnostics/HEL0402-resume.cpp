// options: cuda
#include <hel/hel.hpp>
HEL_TASK hel::task<int> body(std::coroutine_handle<> h) {
  h.resume();
  h.destroy();
  co_return 0;
}

// error: HEL0402 4:5
// error: HEL0402 5:5

// options: cuda
#include <hel/hel.hpp>
HEL_TASK hel::task<int> body(int v) {
  try {
    co_return v;
  } catch (...) {
  }
  co_return 0;
}

// error: HEL0401 4:3

// options: cuda
#include <hel/hel.hpp>
HEL_TASK hel::task<int> body(int v) {
  if (v < 0) throw v;
  co_return v;
}

// error: HEL0401 4:14

#include "job.hpp"
job body() {
  { struct item { int v; } x{1}; co_await wait{x.v}; }
  { struct item { int w; } x{2}; co_await wait{x.w}; }
}

// error: HEL0109 4:12

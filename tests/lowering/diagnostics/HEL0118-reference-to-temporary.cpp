#include "job.hpp"
job body(const object& o) { co_await wait{o.n}; }
int main() {
  auto j = body(object(1));
}

// warning: HEL0118 4:17

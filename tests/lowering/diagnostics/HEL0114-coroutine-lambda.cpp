#include "job.hpp"
struct owner {
  int v = 1;
  void go() {
    auto f = [*this]() -> job { co_await wait{v}; };
    f();
  }
};

// error: HEL0114 5:15

#include "golden.hpp"

job scopes() {
  object outer(1);
  {
    object inner(2);
    co_await wait{inner.n};
  }
  co_await wait{outer.n};
}

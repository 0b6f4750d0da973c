// Types whose names are hidden: by a function of the same name, by one of the C library's, by a type outside of the
// unnamed namespace.
// expect: 1 2 3 ~read 4~read
#include <unistd.h>

#include "case.hpp"

struct twice {
  int n;
};
struct outer {
  int n = 0;
};
int twice(int n) { return 2 * n; }

namespace {

struct read {
  int n;
  ~read() { std::printf("~read "); }
};
struct outer {
  int n = 3;
  int extra[4] = {};
};
enum class kind { a = 4 };
[[maybe_unused]] int kind(int n) { return n; }

Job hidden() {
  struct twice t{1};
  struct read r{2};
  outer o;
  enum kind k = kind::a;
  co_await std::suspend_always();
  std::printf("%d %d %d ", t.n, r.n, o.n);
  {
    const struct read gone = std::move(r);
    r.n = 0;
    co_await std::suspend_always();
  }
  std::printf("%d", static_cast<int>(k));
  co_return 0;
}

}  // namespace

int main() {
  auto j = hidden();
  j.run();
}

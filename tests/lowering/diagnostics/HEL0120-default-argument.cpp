#include "job.hpp"
class owner {
  static object make();

 public:
  static int use(int a, const object& o = make());
};
int named(
    int a, const object& o = [] { return object(2); }());
job body() {
  co_await wait{owner::use(co_await wait{1}) + co_await wait{2}};
  co_await wait{named(co_await wait{1}) + co_await wait{2}};
}

// error: HEL0120 12:17
// error: HEL0120 11:17

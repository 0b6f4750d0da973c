// fork() after the start of a runtime: the child is told, and neither hangs nor disturbs the parent.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;

hel::task<int> identity(int n) { co_return n; }
hel::task<int> waits(hel::event& e, int n) {
  co_await e.wait();
  co_return n;
}
struct service {
  int handle(int n) { return n; }
};

// Runs f in a child; true: f returned true there, in time.
template <class F>
bool in_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    bool ok = false;
    try {
      ok = f();
    } catch (...) {
    }
    _exit(ok ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
template <class F>
bool refused(F f) {
  try {
    f();
  } catch (const std::logic_error& e) {
    return std::strstr(e.what(), "forked") != nullptr;
  }
  return false;
}

}  // namespace

TEST_CASE("a forked child is refused the parent's runtime") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::event e;
    auto rt = std::make_unique<hel::runtime>(settings);
    CHECK(rt->launch(identity, 1).get() == 1);
    auto app = rt->launch(hel::cancellable, waits, e, 2);
    app.wait_for(1ms);
    CHECK(in_child([&] { return refused([&] { (void)rt->launch(identity, 3); }); }));
    CHECK(in_child([&] { return refused([&] { (void)rt->launch(hel::cancellable, identity, 3); }); }));
    CHECK(in_child([&] { return refused([&] { rt->start_service<service>(); }); }));
    CHECK(in_child([&] { return refused([&] { app.wait(); }); }));
    CHECK(in_child([&] { return refused([&] { app.poll(); }); }));
    CHECK(in_child([&] { return refused([&] { (void)app.get(); }); }));
    CHECK(in_child([&] { return refused([&] { rt->drain(); }) && refused([&] { rt->stop(); }); }));
    CHECK(in_child([&] {
      { auto dropped = std::move(app); }
      rt = nullptr;
      return true;
    }));
#if !defined(HEL_TSAN)    // which refuses threads in such a child
    CHECK(in_child([&] {  // one of its own
      hel::runtime own(hel::cpu{.threads = 2});
      return own.launch(identity, 5).get() == 5;
    }));
#endif
    CHECK(rt->launch(identity, 4).get() == 4);
    e.set();
    CHECK(app.get() == 2);
  }
}

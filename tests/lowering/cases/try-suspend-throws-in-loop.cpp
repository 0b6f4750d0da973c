// case:   await_suspend that throws inside a loop around a try; the suspension before it goes on at its own place the next time
// expect: | D1 caught | D1 caught | D1 caught
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>

// --- prelude: a lazily started job that is resumed by hand -------------------
static void say(const char* what) { std::printf("%s ", what); }
static void say(const char* what, int n) { std::printf("%s%d ", what, n); }

struct Trace {  // prints +n (made), cn (copied), mn (moved), -n (destroyed)
  int id;
  explicit Trace(int i) : id(i) { say("+", id); }
  Trace(const Trace& o) : id(o.id) { say("c", id); }
  Trace(Trace&& o) noexcept : id(o.id) { say("m", id); }
  ~Trace() { say("-", id); }
  int plus(int n) const { return id + n; }
};

struct Job {
  struct promise_type {
    int value = 0;
    Job get_return_object() { return Job{std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(int v) { value = v; }
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> h;
  explicit Job(std::coroutine_handle<promise_type> c) : h(c) {}
  Job(Job&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Job() { if (h) h.destroy(); }
  bool step() { h.resume(); return !h.done(); }
  void run() { while (step()) {} }
};

struct Pause {  // always suspends, prints '|', then yields v
  int v;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept { say("|"); }
  int await_resume() noexcept { return v; }
};

// --- case --------------------------------------------------------------------
struct Bad : Pause { void await_suspend(std::coroutine_handle<>) { throw 9; } };
Job c() { int i = 0; do { say("D", (co_await Pause{1})); try { say("R", (co_await Bad{{9}})); } catch (...) { say("caught"); } } while (i++ < 2); co_return 0; }
Job d() { co_return 1; try { if ((co_await Pause{1})) {} } catch (...) { say("caught"); } co_return 1; }
int main() { { Job j = c(); j.run(); } { Job j = d(); j.run(); } }

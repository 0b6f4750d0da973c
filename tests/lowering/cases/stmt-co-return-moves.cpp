// case:   co_return of a local or a parameter moves it, wherever the statement stands
// expect: moved1 moved12 moved23 | moved1 | moved15 | moved26 +8 m8 +3 copied3 -3 -8 -8 +9 m9 +3 | moved9 -3 -9 -9
#include "case.hpp"
struct Unique {
  int id;
  explicit Unique(int i) : id(i) {}
  Unique(Unique&& o) noexcept : id(std::exchange(o.id, 0)) {}
};
struct Gives : Stepped<struct GivesPromise> {
  using promise_type = GivesPromise;
  using Stepped::Stepped;
};
struct GivesPromise {
  Gives get_return_object() { return Gives{std::coroutine_handle<GivesPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(Unique&& u) { say("moved", u.id); }
  void return_value(const Unique&) = delete;
  void return_value(const Trace& t) { say("copied", t.id); }
  void return_value(Trace&& t) { say("moved", t.id); }
  void unhandled_exception() {}
};
Gives unique(int which, Unique value, Unique&& reference) {
  Unique local(1);
  if (which == 1) co_return local;
  else if (which == 2)
    co_return value;
  else if (which == 3)
    co_return (reference);
  co_await Pause{0};
  switch (which) {
  case 4: co_return local;
  case 5: co_return (value);
  default: co_return reference;
  }
}
Gives trace(bool early, Trace parameter) {
  Trace local(3);
  Trace& alias = local;
  if (early) co_return alias;
  co_await Pause{0};
  for (int i = 0;; ++i)
    if (i == 2) co_return parameter;
}
int main() {
  for (int i = 1; i <= 6; ++i) {
    Unique u(20 + i);
    unique(i, Unique(10 + i), std::move(u)).run();
  }
  trace(true, Trace(8)).run();
  trace(false, Trace(9)).run();
}

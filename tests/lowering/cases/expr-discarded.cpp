// case:   discarded, void and reference results
// expect: ~ # +1 | ~ -1 # +1 | void | ~ -1 # +1 | void | | ~ -1 # +1 | void | | | ~ -1 # +1 | void | | | +2 |
// expect: ~ -2 -1 # +1 | void | | | +2 | m2 -2 -2 | ~ -1 # +1 | void | | | +2 | m2 -2 -2 | void | ~ -1 # +1 |
// expect: void | | | +2 | m2 -2 -2 | void | void | ~ -1 # +1 | void | | | +2 | m2 -2 -2 | void | void | void |
// expect: ~ -1 # +1 | void | | | +2 | m2 -2 -2 | void | void | void | -1 ~ # alive0
#include "case.hpp"
struct Nothing {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<>) { say("|"); }
  void await_resume() { say("void"); }
};
VoidJob body() {
  Trace t(1);
  co_await Nothing{};
  (void)co_await Pause{1};
  co_await PauseRef<Trace>{t};
  static_cast<void>(co_await PauseRef<Trace>{t});
  co_await PauseFor<Trace>{Trace(2)};
  (co_await Nothing{}, co_await Nothing{});
  true ? co_await Nothing{} : (void)0;
  void(co_await Pause{1});
}
int main() { at_each_suspension(body); }

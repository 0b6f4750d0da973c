// case:   parameters are destroyed after the promise, in reverse, when the frame goes
// expect: +3 | -3 ~P -2 -1 end
#include "case.hpp"
struct Own;
struct OwnPromise {
  Own get_return_object();
  std::suspend_always initial_suspend() { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() {}
  ~OwnPromise() { say("~P"); }
};
struct Own : Stepped<OwnPromise> {
  using promise_type = OwnPromise;
  using Stepped::Stepped;
};
Own OwnPromise::get_return_object() { return Own{std::coroutine_handle<OwnPromise>::from_promise(*this)}; }
struct Copied { int id; Copied(int i) : id(i) {} Copied(Copied&& o) : id(std::exchange(o.id, 0)) {} ~Copied() { if (id) say("-", id); } };
Own body(Copied, Copied) { Trace t(3); co_await Pause{0}; }
int main() { Own j = body(1, 2); j.step(); j.h.destroy(); j.h = {}; say("end"); }

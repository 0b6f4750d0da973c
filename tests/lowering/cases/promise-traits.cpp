// case:   std::coroutine_traits gives the promise type of a function, also by its parameters
// native: clang-19 does not call a get_return_object that returns void ([dcl.fct.def.coroutine]/7); g++ does
// expect: P3 r7 | v3 void plain4
#include "case.hpp"
struct Tag {};
static std::coroutine_handle<> last;
template <> struct std::coroutine_traits<int, Tag, int> {
  struct promise_type {
    promise_type(Tag&, int& v) { say("P", v); }
    int get_return_object() { last = std::coroutine_handle<promise_type>::from_promise(*this); return 7; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
template <> struct std::coroutine_traits<void, int> {
  struct promise_type {
    void get_return_object() { say("void"); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
int body(Tag, int v) { co_await Pause{0}; say("v", v); }
void plain(int v) { say("plain", v); co_return; }
int main() {
  say("r", body(Tag{}, 3));
  last.resume(); last.resume(); last.destroy();
  plain(4);
}

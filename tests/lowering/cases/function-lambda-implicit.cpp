// case:   [&] and [=] of references, parameters, bindings and this outlive the call of the body in which they stand
// expect: ~ # | ~ # | r2 | ~ # | r13 | c113 ~ # alive0 ~ # | ~ # | | ~ # | | l48 | ~ # | | l8 | l12 ~ # alive0 ~ #
// expect: | ~ # | b10 | ~ # | b6 | b15 ~ # alive0 ~ # | ~ # | m6 m14 ~ # alive0 ~ # | ~ # | p5 ~ # alive0 ~ # | ~ #
// expect: | d8 ~ # alive0 ~ # | ~ # | | i55 | v14 ~ # alive0
#include "case.hpp"
#include <functional>
#include <utility>
// The stack below is written over between the suspensions: what was captured there is gone.
[[gnu::noinline]] static void overwrite() {
  volatile char room[4096];
  for (auto& c : room) c = 0x5a;
}
static int number(int& n) { return ++n; }
VoidJob reference(int& out) {
  std::function<int()> f = [&] { return number(out); };
  co_await Pause{1};
  overwrite();
  say("r", f());
  std::function<int()> copy = [=]() mutable { return out + 100; };
  out += 10;
  co_await Pause{2};
  overwrite();
  say("c", copy());
}
VoidJob local(int& in) {
  co_await Pause{1};
  int& out = in;
  const int& constant = out;
  std::function<int()> f = [&] { const int n = number(out); return n + constant; };
  co_await Pause{2};
  overwrite();
  say("l", f());
  out = 3;
  co_await Pause{3};
  overwrite();
  say("l", f() + out);
}
VoidJob binding(std::pair<int&, int> p) {
  auto& [a, b] = p;
  std::function<int()> f = [&] { const int n = number(a); return n + ++b; };
  co_await Pause{1};
  overwrite();
  say("b", f());
  std::function<int()> copy = [=] { return a * 10 + b; };
  a = 0;
  co_await Pause{2};
  overwrite();
  say("b", copy());
}
struct Object {
  int m = 5;
  VoidJob member() {
    std::function<int()> f = [&] { return ++m; };
    std::function<int()> nested = [&] { return [&] { m += 1; return m + this->m; }(); };
    co_await Pause{1};
    overwrite();
    say("m", f());
    say("m", nested());
  }
};
template <class... A> VoidJob pack(A&... a) {
  std::function<int()> f = [&] { return (0 + ... + static_cast<int>(++a)); };
  co_await Pause{1};
  overwrite();
  say("p", f());
}
VoidJob deep(int& out) {
  auto outer = [&] { return [&] { return [&](int by) { return out += by; }; }; };
  auto inner = outer()();
  co_await Pause{1};
  overwrite();
  say("d", inner(7));
}
VoidJob coroutine(int& out, std::pair<int, int> p) {
  auto [a, b] = p;
  auto by_reference = [&]() -> VoidJob {
    out += a;
    co_await Pause{3};
    out += b;
    say("i", out);
  };
  auto by_copy = [=]() -> VoidJob {
    co_await Pause{4};
    say("v", out + a * b);
  };
  VoidJob first = by_reference(), second = by_copy();
  co_await Pause{1};
  overwrite();
  out = 50;
  first.run();
  second.run();
}
int main() {
  int n = 1;
  at_each_suspension([&] { return reference(n); });
  at_each_suspension([&] { return local(n); });
  at_each_suspension([&] { return binding({n, 4}); });
  Object o;
  at_each_suspension([&] { return o.member(); });
  long l = 3;
  at_each_suspension([&] { return pack(n, l); });
  at_each_suspension([&] { return deep(n); });
  at_each_suspension([&] { return coroutine(n, {2, 3}); });
}

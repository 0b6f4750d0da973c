// case:   closures that live across suspensions, of all kinds of captures
// expect: +1 c1 | a3 b6 c9 d212 | e207 f12 g2 h13 i12 j15 -1 -1
#include "case.hpp"
#include <functional>
#include <memory>
struct Owner {
  int base = 100;
  VoidJob body(int p) {
    Trace t(1);
    int n = 2;
    auto by_value = [t, n] { return t.id + n; };
    auto by_reference = [&t, &n] { return t.id + n; };
    auto all_value = [=] { return n + p; };
    auto all_reference = [&] { return n + p + base; };
    auto with_this = [this, p] { return base + p; };
    auto init = [v = std::make_unique<int>(p), &r = n] { return *v + r; };
    auto counter = [k = 0]() mutable { return ++k; };
    auto nested = [&] { return [&, n] { return n + p + t.id; }(); };
    auto generic = [&](auto x) { return x + n; };
    std::function<int(int)> erased = [&](int x) { return x * n; };
    co_await Pause{0};
    n = 5;
    base = 200;
    counter();
    say("a", by_value());
    say("b", by_reference());
    say("c", all_value());
    say("d", all_reference());
    co_await Pause{0};
    say("e", with_this());
    say("f", init());
    say("g", counter());
    say("h", nested());
    say("i", generic(1) + static_cast<int>(generic(1.5)));
    say("j", erased(3));
  }
};
int main() { Owner o; VoidJob j = o.body(7); j.run(); }

// case:   new with placement arguments and an awaited initializer: the matching operator delete gets the memory back
// expect: ~ # | ~ # | +1 | ~ -1 # | +1 | +2 b2 pool5 | ~ drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | ~
// expect: drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | ~ drained8 -7 drained5 -2 -1 #
// expect: | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | ~ drained10 -9 -7
// expect: drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 |
// expect: +11 | ~ -11 drained10 -9 -7 drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9
// expect: drained8 pool10 takes10 | +11 | +12 drained10 | ~ -12 -11 -9 -7 drained5 -2 -1 # | +1 | +2 b2 pool5 | take5
// expect: level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 | +13 f13 | ~ -13 -12 -11
// expect: -9 -7 drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10
// expect: takes10 | +11 | +12 drained10 | +13 f13 | g29 | ~ -13 -12 -11 -9 -7 drained5 -15 -14 # | +1 | +2 b2 pool5 |
// expect: take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 | +13 f13 | g29 | |
// expect: ~ -13 -12 -11 -9 -7 drained5 -15 -16 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9
// expect: drained8 pool10 takes10 | +11 | +12 drained10 | +13 f13 | g29 | | h17 take5 level17 give5 level17 -13 -12
// expect: -11 -9 -7 drained5 -15 -16 caught1 pool19 takes19 | ~ drained19 # | +1 | +2 b2 pool5 | take5 level6 | +7
// expect: pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 | +13 f13 | g29 | | h17 take5 level17
// expect: give5 level17 -13 -12 -11 -9 -7 drained5 -15 -16 caught1 pool19 takes19 | +20 -20 gives19 drained19 caught1
// expect: back caught1 ~ # alive0 ~ # | ~ # | +1 | ~ -1 # | +1 | +2 b2 pool5 | ~ drained5 -2 -1 # | +1 | +2 b2 pool5 |
// expect: take5 level6 | ~ drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | ~ drained8 -7
// expect: drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | ~
// expect: drained10 -9 -7 drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8
// expect: pool10 takes10 | +11 | ~ -11 drained10 -9 -7 drained5 -2 -1 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8
// expect: take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 f0 | ~ -12 -11 -9 -7 drained5 -2 -1 # | +1 |
// expect: +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 f0 |
// expect: g29 | ~ -12 -11 -9 -7 drained5 -15 -14 # | +1 | +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9
// expect: drained8 pool10 takes10 | +11 | +12 drained10 f0 | g29 | | ~ -12 -11 -9 -7 drained5 -15 -16 # | +1 | +2 b2
// expect: pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 f0 | g29 | |
// expect: h17 take5 level17 give5 level17 -12 -11 -9 -7 drained5 -15 -16 caught2 pool19 takes19 | ~ drained19 # | +1 |
// expect: +2 b2 pool5 | take5 level6 | +7 pool8 take8 level6 | +9 drained8 pool10 takes10 | +11 | +12 drained10 f0 |
// expect: g29 | | h17 take5 level17 give5 level17 -12 -11 -9 -7 drained5 -15 -16 caught2 pool19 takes19 | +20 -20
// expect: gives19 drained19 caught2 back caught2 ~ # alive0
#include "case.hpp"
#include <cstdlib>
#include <new>
struct Pool {
  int id;
  explicit Pool(int i) : id(i) { say("pool", i); }
  Pool(const Pool&) = delete;
  ~Pool() { say("drained", id); }
};
// Clang leaks what new has not finished when it is destroyed.
static bool thrown() { return std::uncaught_exceptions() > 0; }
void* operator new(std::size_t n, const Pool& p, int level = Trace::alive + 3) { say("take", p.id), say("level", level); return std::malloc(n); }
void operator delete(void* m, const Pool& p, int level) { if (thrown()) say("give", p.id), say("level", level); std::free(m); }
void* operator new[](std::size_t n, Pool&& p) { say("takes", p.id); return std::malloc(n); }
void operator delete[](void* m, Pool&& p) { if (thrown()) say("gives", p.id); std::free(m); }
struct Failing : Trace {
  using Trace::Trace;
  static void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return n && fail ? nullptr : std::malloc(n); }
  static void operator delete(void* m, const std::nothrow_t&) noexcept { if (thrown()) say("back"); std::free(m); }
  static void operator delete(void* m) { std::free(m); }
  static inline bool fail = false;
};
template <class T>
struct Taken {  // memory of a pool
  T* p;
  int n;
  ~Taken() {
    for (int i = n; i > 0; --i) p[i - 1].~T();
    std::free(n == 1 ? static_cast<void*>(p) : reinterpret_cast<std::size_t*>(p) - 1);
  }
};
struct Gone {
  Trace* t;
  ~Gone() { t->~Trace(); }
};
template <class T>
struct Held {
  T* p;
  ~Held() { delete p; }
};
VoidJob body(int v) {
  alignas(Trace) unsigned char bytes[2 * sizeof(Trace)];
  try {
    Gone a{new (bytes) Trace(co_await Pause{1})};
    Gone b{new (static_cast<void*>(bytes + sizeof(Trace))) Trace(a.t->plus(co_await Pause{1}))};
    say("b", b.t->id);
    Pool p(5);
    Taken<Trace> c{new (p, co_await Pause{6}) Trace(co_await Pause{7}), 1};
    Taken<Trace> d{new (Pool(8)) Trace{co_await Pause{9}}, 1};
    Taken<Trace> e{new (Pool(10)) Trace[2]{Trace(co_await Pause{11}), Trace(co_await Pause{12})}, 2};
    Failing::fail = v == 2;
    Held<Failing> f{new (std::nothrow) Failing(co_await Pause{13})};
    say("f", f.p ? f.p->id : 0);
    int* g = new (bytes) int[2]{co_await Pause{14}, 15};
    say("g", g[0] + g[1]);
    int h = *new (bytes) int(co_await Pause{16}) + co_await Pause{1};
    say("h", h);
    Taken<Trace> i{new (p, 17) Trace(v ? throw v : co_await Pause{18}), 1};
  } catch (int n) { say("caught", n); }
  try {
    Taken<Trace> j{new (Pool(19)) Trace[2]{Trace(co_await Pause{20}), Trace(v ? throw v : co_await Pause{21})}, 2};
  } catch (int n) { say("caught", n); }
  try {
    Failing::fail = false;
    Held<Failing> k{new (std::nothrow) Failing(v ? throw v : co_await Pause{22})};
  } catch (int n) { say("caught", n); }
}
int main() {
  at_each_suspension([] { return body(1); });
  at_each_suspension([] { return body(2); });
}

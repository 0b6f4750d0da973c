// case:   over-aligned types across a suspension
// native: clang-19 does not align its frames beyond what operator new gives
// expect: +3 | ok4 sum11 -3 +3 | ok4 sum11 -3 +3 | ok4 sum11 -3
#include "case.hpp"
#include <cstdint>
struct alignas(64) Line { int v; };
struct alignas(32) Half { int v; Trace t; };
static bool aligned(const void* p, std::uintptr_t to) { return reinterpret_cast<std::uintptr_t>(p) % to == 0; }
VoidJob body() {
  Line a{1};
  Half b{2, Trace(3)};
  char gap = 1;
  Line c[2] = {{4}, {5}};
  co_await Pause{0};
  say("ok", aligned(&a, 64) + aligned(&b, 32) + aligned(c, 64) + gap);
  say("sum", a.v + b.v + b.t.id + c[1].v);
}
int main() { for (int i = 0; i < 3; ++i) { VoidJob j = body(); j.run(); } }

// case:   polymorphic objects, member pointers and volatile variables behind an await
// expect: ~ # | ~ # | d5 | ~ # | d5 | v2 | ~ # | d5 | v2 | n7 | ~ # | d5 | v2 | n7 | +8 t8 -8 | ~ # | d5 | v2 | n7 |
// expect: +8 t8 -8 | | ~ # | d5 | v2 | n7 | +8 t8 -8 | | r2 | ~ # | d5 | v2 | n7 | +8 t8 -8 | | r2 | m5 | ~ # | d5 |
// expect: v2 | n7 | +8 t8 -8 | | r2 | m5 | f4 | ~ # | d5 | v2 | n7 | +8 t8 -8 | | r2 | m5 | f4 | +3 | ~ -3 # | d5 | v2
// expect: | n7 | +8 t8 -8 | | r2 | m5 | f4 | +3 | | ~ -3 # | d5 | v2 | n7 | +8 t8 -8 | | r2 | m5 | f4 | +3 | | +4 | ~
// expect: -4 -3 # | d5 | v2 | n7 | +8 t8 -8 | | r2 | m5 | f4 | +3 | | +4 | u7 -4 -3 ~ # alive0
#include "case.hpp"
#include <typeinfo>
struct Base {
  virtual ~Base() = default;
  virtual int id() const { return 1; }
};
struct Der : Base {
  int id() const override { return 2; }
  int x = 5;
};
VoidJob body() {
  Der d;
  Base& b = d;
  say("d", dynamic_cast<Der&>(co_await PauseRef<Base>{b}).x);
  say("v", (co_await PauseRef<Base>{b}).id());
  try {
    throw co_await Pause{7};
  } catch (int n) { say("n", n); }
  try {
    throw Trace(co_await Pause{8});
  } catch (const Trace& t) { say("t", t.id); }
  volatile int vol = co_await Pause{1};
  vol = vol + 1;
  const volatile int& r = vol;
  co_await Pause{2};
  say("r", r);
  int Der::*m = &Der::x;
  say("m", d.*co_await PauseFor<int Der::*>{m});
  int (Base::*f)() const = &Base::id;
  say("f", (b.*f)() + ((co_await PauseRef<Base>{b}).*f)());
  auto&& t = Trace(co_await Pause{3});
  auto&& u = co_await PauseRef<Trace>{t};
  const int& k = Trace(co_await Pause{4}).id;
  co_await Pause{5};
  say("u", u.id + k);
}
int main() { at_each_suspension(body); }

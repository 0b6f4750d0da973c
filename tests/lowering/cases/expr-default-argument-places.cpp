// case:   temporaries of default arguments: of constructors, members, templates, nested, in braces, by conversion
// expect: ~ # +102 +50 +7 pass7 use153 last3 | ~ -7 -50 -102 # +104 +50 +7 pass7 use157 last3 | r5 -7 -50 -104 | ~ #
// expect: +106 +50 +7 pass7 use161 last3 | r5 -7 -50 -106 | +105 +50 +7 pass7 use157 last3 | ~ -7 -50 -105 # +108 +50
// expect: +7 pass7 use165 last3 | r5 -7 -50 -108 | +105 +50 +7 pass7 use157 last3 | r7 -7 -50 -105 +101 +104 +40 | ~
// expect: -40 -104 -101 # +110 +50 +7 pass7 use169 last3 | r5 -7 -50 -110 | +105 +50 +7 pass7 use157 last3 | r7 -7 -50
// expect: -105 +101 +104 +40 | r206 -40 -104 -101 +60 +61 m60 m61 | ~ -61 -60 -61 -60 # +112 +50 +7 pass7 use173 last3
// expect: | r5 -7 -50 -112 | +105 +50 +7 pass7 use157 last3 | r7 -7 -50 -105 +101 +104 +40 | r206 -40 -104 -101 +60
// expect: +61 m60 m61 | r61 -61 -60 -61 -60 ~ # alive0 ~ # +20 made121 | ~ gone121 -20 # +20 made121 | r122 gone121
// expect: -20 +20 made122 | ~ gone122 -20 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20 made123
// expect: | ~ gone123 -20 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20 made123 | r124 gone123
// expect: -20 +20 made124 | ~ gone124 -20 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20 made123
// expect: | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125 | ~ gone125 -20 # +20 made121 | r122 gone121
// expect: -20 +20 made122 | r123 gone122 -20 +20 made123 | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125
// expect: | r126 gone125 -20 +21 made21 | ~ gone21 -21 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20
// expect: +20 made123 | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125 | r126 gone125 -20 +21 made21 |
// expect: r22 gone21 -21 +21 made21 | ~ gone21 -21 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20
// expect: made123 | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125 | r126 gone125 -20 +21 made21 | r22
// expect: gone21 -21 +21 made21 | r22 gone21 -21 | ~ # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20
// expect: +20 made123 | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125 | r126 gone125 -20 +21 made21 |
// expect: r22 gone21 -21 +21 made21 | r22 gone21 -21 | +20 made126 -20 +20 made121 +31 m31 +22 | ~ -22 -31 -31 gone121
// expect: -20 gone126 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20 made123 | r124 gone123 -20
// expect: +20 made124 | r125 gone124 -20 +20 made125 | r126 gone125 -20 +21 made21 | r22 gone21 -21 +21 made21 | r22
// expect: gone21 -21 | +20 made126 -20 +20 made121 +31 m31 +22 | r302 -22 -31 -31 gone121 -20 +21 made21 +20 made129 |
// expect: ~ gone129 -20 gone21 -21 gone126 # +20 made121 | r122 gone121 -20 +20 made122 | r123 gone122 -20 +20 made123
// expect: | r124 gone123 -20 +20 made124 | r125 gone124 -20 +20 made125 | r126 gone125 -20 +21 made21 | r22 gone21 -21
// expect: +21 made21 | r22 gone21 -21 | +20 made126 -20 +20 made121 +31 m31 +22 | r302 -22 -31 -31 gone121 -20 +21
// expect: made21 +20 made129 | r151 gone129 -20 gone21 -21 gone126 ~ # alive0 ~ # +60 +61 m60 m61 | ~ -61 -60 -61 -60
// expect: # +60 +61 m60 m61 | +114 +50 +7 pass7 use177 last3 | ~ -7 -50 -114 -61 -60 -61 -60 # +60 +61 m60 m61 | +116
// expect: +50 +7 pass7 use181 last3 | r2 -7 -50 -116 -61 -60 -61 -60 +77 | own79 -77 ~ # alive0 ~ # +20 made128 | ~
// expect: gone128 -20 # +20 made128 | r129 gone128 -20 ~ # alive0
#include "case.hpp"
#include <memory>
#include <utility>
namespace inner {
static int made = 0;
static int next() { return ++made; }
enum color { red = 7 };
constexpr int offset = 100;
struct Value : Trace {
  explicit Value(int i = next()) : Trace(i + offset) {}
};
static const Trace& pass(const Trace& t, const Trace& other = Trace(red)) { return say("pass", other.id), t; }
}  // namespace inner
namespace outer {
using namespace inner;
static int use(int a, int b = next(), const Value& v = Value(), const Trace& t = pass(Trace(50)), int last = 3) {
  say("use", v.id + t.id + b), say("last", last);
  return a;
}
struct Made {
  int id;
  Made(int i, const Trace& t = Trace(20), char c = 300 - 200) : id(i + t.id + c) { say("made", id); }
  Made(const Trace& t = Trace(21)) : id(t.id) { say("made", id); }
  Made(Made&& o) : id(o.id) { say("moved", id); }
  ~Made() { say("gone", id); }
  int member(const Made& o = Made(1), const std::pair<int, Trace>& p = {1, Trace(31)}) const {
    return id + o.id + p.second.id;
  }
  int operator()(int i, const Trace& t = Trace(22)) const { return i + t.id; }
};
}  // namespace outer
static int of(const outer::Made& m) { return m.id; }
template <class T>
static int generic(const T& t, const T& other = T(static_cast<int>(sizeof(T))), const Trace& = Trace(40)) {
  return static_cast<int>(t.id) + static_cast<int>(other.id);
}
static int aggregate(const std::pair<Trace, Trace>& p = {Trace(60), Trace(61)}) { return p.first.id; }
struct Own {
  static int hidden(const Trace& t = Trace(secret())) { return t.id; }
  VoidJob body() { say("own", hidden() + co_await Pause{2}); }

 private:
  static int secret() { return 77; }
};
VoidJob calls() {
  say("r", outer::use(1) + co_await Pause{4});
  say("r", outer::use(1, 2, inner::Value(co_await Pause{5})) + co_await Pause{6});
  say("r", generic(inner::Value(1)) + co_await Pause{1});
  say("r", aggregate() + co_await Pause{1});
}
VoidJob objects() {
  say("r", of(outer::Made(1)) + co_await Pause{1});
  say("r", of(outer::Made{2}) + co_await Pause{1});
  say("r", of(3) + co_await Pause{1});
  say("r", of({4}) + co_await Pause{1});
  say("r", of(static_cast<outer::Made>(5)) + co_await Pause{1});
  say("r", of({}) + co_await Pause{1});
  say("r", of(outer::Made()) + co_await Pause{1});
  outer::Made m(co_await Pause{6});
  say("r", m.member() + m(1) + co_await Pause{1});
  say("r", of(*std::unique_ptr<outer::Made>(new outer::Made)) + of(*std::unique_ptr<outer::Made>(new outer::Made{9})) +
               co_await Pause{1});
}
VoidJob chosen(bool b) {
  say("r", (b && aggregate() > co_await Pause{1} ? outer::use(1) : of(8)) + co_await Pause{1});
  if (Own o; b) {
    VoidJob j = o.body();
    j.run();
  }
}
int main() {
  at_each_suspension(calls);
  at_each_suspension(objects);
  at_each_suspension([] { return chosen(true); });
  at_each_suspension([] { return chosen(false); });
}

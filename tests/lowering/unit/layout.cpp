#include "lowering/frame_layout.hpp"

#include <doctest/doctest.h>

#include "tests/lowering/unit/function.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

struct Layout {
  TestFunction t;
  SlotId add(const std::string& name, std::uint64_t size, std::uint64_t align) {
    const SlotId s = t.slot(name, "type_" + name, Origin::local, true, size, align);
    t.f.slots[s].storage = Storage::frame;
    return s;
  }
  FrameLayout run(std::uint64_t header = 18) {
    std::map<SlotId, std::string> types;
    for (std::size_t i = 0; i < t.f.slots.size(); ++i) types[static_cast<SlotId>(i)] = t.f.slots[i].type;
    return lay_out(t.f, header, 8, types);
  }
};

std::uint64_t offset(const FrameLayout& l, SlotId s) {
  for (const LaidOut& x : l.slots)
    if (x.slot == s) return x.offset;
  return ~0ull;
}

}  // namespace

TEST_CASE("an empty frame is its header, rounded up") {
  Layout l;
  const FrameLayout out = l.run();
  CHECK(out.size == 24);
  CHECK(out.align == 8);
  CHECK(out.slots.empty());
}

TEST_CASE("every slot is aligned and none overlaps another of its scope") {
  Layout l;
  std::vector<SlotId> all{l.add("a", 1, 1), l.add("b", 8, 8), l.add("c", 4, 4), l.add("d", 2, 2), l.add("e", 16, 16)};
  const FrameLayout out = l.run();
  for (SlotId a : all) {
    CHECK(offset(out, a) % l.t.f.slots[a].align == 0);
    CHECK(offset(out, a) >= 18);
    CHECK(offset(out, a) + l.t.f.slots[a].size <= out.size);
    for (SlotId b : all)
      if (a < b) {
        const bool apart = offset(out, a) + l.t.f.slots[a].size <= offset(out, b) || offset(out, b) + l.t.f.slots[b].size <= offset(out, a);
        CHECK(apart);
      }
  }
  CHECK(out.align == 16);
  CHECK(out.size % 16 == 0);
}

TEST_CASE("small slots fill the gap behind the header") {
  Layout l;
  l.add("big", 8, 8);
  l.add("small", 4, 4);
  CHECK(l.run().size == 32);
}

TEST_CASE("sibling scopes share their bytes, nested ones do not") {
  Layout l;
  l.t.b.open_region();
  const SlotId outer = l.add("outer", 8, 8);
  l.t.b.open_region();
  const SlotId first = l.add("first", 256, 1);
  l.t.b.close_region();
  l.t.b.open_region();
  const SlotId second = l.add("second", 128, 1);
  l.t.b.close_region();
  l.t.b.close_region();
  const FrameLayout out = l.run();
  CHECK(offset(out, first) == offset(out, second));
  CHECK(offset(out, outer) + 8 <= offset(out, first));
  CHECK(out.size <= 24 + 8 + 256);
  CHECK(out.members.find("union") != std::string::npos);
}

TEST_CASE("a slot that is not in the frame takes nothing") {
  Layout l;
  const SlotId s = l.add("plain", 1024, 8);
  l.t.f.slots[s].storage = Storage::plain;
  CHECK(l.run().size == 24);
}

TEST_CASE("references take a pointer, objects and scalars the type that they are given") {
  Layout l;
  const SlotId r = l.add("r", 100, 4), o = l.add("o", 4, 4), n = l.add("n", 4, 4);
  l.t.f.slots[r].form = Form::reference;
  l.t.f.slots[n].form = Form::scalar;
  const FrameLayout out = l.run();
  CHECK(out.members.find("type_r* r;") != std::string::npos);
  CHECK(out.members.find("type_o o;") != std::string::npos);
  CHECK(out.members.find("type_n n;") != std::string::npos);
  CHECK(offset(out, o) != ~0ull);
  CHECK(out.size <= 40);
}

#include "lowering/ir/builder.hpp"

#include <doctest/doctest.h>

#include "tests/lowering/unit/function.hpp"
#include "lowering/ir/print.hpp"
#include "lowering/ir/verify.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

std::vector<SlotId> popped(const Block& b) {
  std::vector<SlotId> out;
  for (const Instr& i : b.instrs)
    if (i.op == Op::pop) out.push_back(i.slot);
  return out;
}

}  // namespace

TEST_CASE("pop_to destroys in reverse order of construction") {
  TestFunction t;
  const SlotId a = t.object("a"), b = t.object("b"), c = t.object("c");
  t.b.pop_to(none);
  CHECK(popped(t.f.blocks[t.f.entry]) == std::vector<SlotId>{c, b, a});
  CHECK(t.b.top() == none);
}

TEST_CASE("leave runs what lies above the target, and what follows is unreachable") {
  TestFunction t;
  t.object("outer");
  const CleanupId depth = t.b.top();
  const SlotId inner = t.object("inner");
  const BlockId out = t.b.new_block();
  t.b.leave(out, depth);
  CHECK(popped(t.f.blocks[t.f.entry]) == std::vector<SlotId>{inner});
  CHECK_FALSE(t.b.reachable());
  t.b.leave(out, none);  // does nothing
  t.b.pop_to(none);
  CHECK(popped(t.f.blocks[t.f.entry]).size() == 1);
}

TEST_CASE("code after a jump goes to a block of its own") {
  TestFunction t;
  const std::size_t blocks = t.f.blocks.size();
  t.b.leave(t.final, none);
  t.eval("late()");
  CHECK(t.f.blocks.size() == blocks + 1);
  CHECK(t.f.blocks.back().instrs[0].text == "late()");
}

TEST_CASE("exit_block cleans up on the way and leaves the current position alone") {
  TestFunction t;
  const SlotId a = t.object("a");
  const BlockId here = t.b.here();
  const BlockId exit = t.b.exit_block(t.final, none);
  CHECK(t.b.here() == here);
  CHECK(t.f.blocks[exit].entry == t.b.top());
  CHECK(popped(t.f.blocks[exit]) == std::vector<SlotId>{a});
  CHECK(t.f.blocks[exit].term.to == std::vector<BlockId>{t.final});
}

TEST_CASE("settle destroys temporaries beneath the objects that stay") {
  TestFunction t;
  const SlotId temporary = t.object("temporary");
  const CleanupId doomed = t.b.top();
  const SlotId kept = t.object("kept");
  t.b.settle(none, {doomed}, {t.f.cleanups[t.b.top()]});
  CHECK(popped(t.f.blocks[t.f.entry]) == std::vector<SlotId>{temporary});
  CHECK(t.f.cleanups[t.b.top()].slot == kept);
  CHECK(t.f.cleanups[t.b.top()].parent == none);
  t.suspend();
  CHECK(verify(t.finish()).empty());
}

TEST_CASE("merge makes the parts one object") {
  TestFunction t;
  const SlotId pair = t.slot("pair", "two");
  t.b.emit(TestFunction::instr(Op::begin, pair));
  for (const char* member : {".a", ".b"}) {
    Instr i = TestFunction::instr(Op::build, pair, "1");
    i.place = slot_ref(pair) + member;
    t.b.emit(std::move(i));
    Cleanup c;
    c.slot = pair;
    c.place = slot_ref(pair) + member;
    t.b.push(std::move(c));
  }
  t.b.merge(none, {});
  CHECK(t.b.top() == none);
  t.push(pair);
  t.suspend();
  CHECK(verify(t.finish()).empty());
}

TEST_CASE("regions nest, and a slot belongs to the innermost open one") {
  TestFunction t;
  const std::uint32_t outer = t.b.open_region(), inner = t.b.open_region();
  const SlotId s = t.scalar("s");
  CHECK(t.f.slots[s].region == inner);
  CHECK(t.f.regions[inner].parent == outer);
  t.b.close_region();
  CHECK(t.b.region() == outer);
}

TEST_CASE("the line of the builder is stamped on what is emitted") {
  TestFunction t;
  t.b.where = {42, 7};
  t.eval("f()");
  CHECK(t.f.blocks[t.f.entry].instrs.back().where.line == 42);
}

TEST_CASE("the printed form names blocks, slots and cleanups") {
  TestFunction t;
  t.object("a");
  t.suspend();
  const std::string out = print(t.finish());
  CHECK(out.find("coroutine test") != std::string::npos);
  CHECK(out.find("slot %a : `object` local object") != std::string::npos);
  CHECK(out.find("entry") != std::string::npos);
}

#include "lowering/place_slots.hpp"

#include <doctest/doctest.h>

#include "tests/lowering/unit/function.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {
bool framed(const TestFunction& t, SlotId s) { return t.f.slots[s].storage == Storage::frame; }
}  // namespace

TEST_CASE("a value used after a suspension is in the frame, one used only before is not") {
  TestFunction t;
  const SlotId before = t.scalar("before"), across = t.scalar("across"), after = t.scalar("after");
  t.build(before);
  t.build(across);
  t.eval("use(" + slot_ref(before) + ")");
  t.suspend();
  t.build(after);
  t.eval("use(" + slot_ref(across) + slot_ref(after) + ")");
  t.finish();
  place_slots(t.f);
  CHECK_FALSE(framed(t, before));
  CHECK(framed(t, across));
  CHECK_FALSE(framed(t, after));
  CHECK(t.f.slots[across].why.find("line 2") != std::string::npos);
  CHECK(t.f.blocks[t.f.entry].term.await.live == std::set<SlotId>{across});
}

TEST_CASE("an object that destroy() must destroy is in the frame though nobody uses it") {
  TestFunction t;
  const SlotId s = t.object("guard");
  const BlockId head = t.b.new_block();
  t.b.fall_into(head);  // never left in any other way
  t.suspend();
  t.b.leave(head, t.b.top());
  t.finish();
  place_slots(t.f);
  CHECK(framed(t, s));
}

TEST_CASE("an object whose scope ends before the suspension stays out") {
  TestFunction t;
  const SlotId s = t.object("guard");
  t.b.pop_to(none);
  t.suspend();
  t.finish();
  place_slots(t.f);
  CHECK_FALSE(framed(t, s));
}

TEST_CASE("a value that is set again on every way after the suspension stays out") {
  TestFunction t;
  const SlotId s = t.scalar("n");
  t.build(s, "1", Init::assign);
  t.eval("use(" + slot_ref(s) + ")");
  t.suspend();
  t.build(s, "2", Init::assign);
  t.eval("use(" + slot_ref(s) + ")");
  t.finish();
  place_slots(t.f);
  CHECK_FALSE(framed(t, s));
}

TEST_CASE("a loop carries values around its suspension") {
  TestFunction t;
  const SlotId s = t.scalar("i");
  t.build(s, "0", Init::assign);
  const BlockId head = t.b.new_block(), body = t.b.new_block(), out = t.b.new_block();
  t.b.fall_into(head);
  t.b.branch(slot_ref(s) + " < 3", body, out, {});
  t.b.enter(body, none);
  t.suspend();
  t.eval("++" + slot_ref(s));
  t.b.leave(head, none);
  t.b.enter(out, none);
  t.finish();
  place_slots(t.f);
  CHECK(framed(t, s));
}

TEST_CASE("parameters and captures are always in the frame; an empty awaiter never is") {
  TestFunction t;
  const SlotId p = t.slot("p", "int", Origin::parameter, true, 4), c = t.slot("c", "int", Origin::capture, true, 4);
  const SlotId w = t.slot("w", "awaiter", Origin::awaiter, true, 1);
  t.f.slots[w].empty = true;
  t.build(w);
  t.push(w);
  t.suspend(slot_ref(w));
  t.eval(slot_ref(w) + ".await_resume()");
  t.finish();
  place_slots(t.f);
  CHECK(framed(t, p));
  CHECK(framed(t, c));
  CHECK_FALSE(framed(t, w));
}

TEST_CASE("the flag of a conditional temporary lives as long as the temporary") {
  TestFunction t;
  const SlotId flag = t.slot("f", "bool", Origin::flag, true, 1), s = t.slot("a", "object");
  t.b.emit(TestFunction::instr(Op::flag, flag, "false"));
  t.b.emit(TestFunction::instr(Op::begin, s));
  Cleanup c;
  c.slot = s;
  c.flag = flag;
  t.b.push(std::move(c));
  t.suspend();
  t.finish();
  place_slots(t.f);
  CHECK(framed(t, flag));
  CHECK(framed(t, s));
}

TEST_CASE("blocks that nothing leads to are emptied and hold nothing alive") {
  TestFunction t;
  const SlotId s = t.scalar("n");
  t.build(s);
  t.b.leave(t.final, none);
  const BlockId dead = t.b.new_block();
  t.b.enter(dead, none);
  t.suspend();
  t.eval("use(" + slot_ref(s) + ")");
  t.finish();
  place_slots(t.f);
  CHECK(t.f.blocks[dead].instrs.empty());
  CHECK_FALSE(framed(t, s));
}

TEST_CASE("storage whose address is used before the object is built is needed from then on") {
  TestFunction t;
  const SlotId s = t.slot("w", "object");
  t.b.emit(TestFunction::instr(Op::begin, s));
  t.eval("keep(&" + slot_ref(s) + ")");
  t.suspend();
  t.build(s);
  t.push(s);
  t.finish();
  Function usual = t.f;
  place_slots(usual);
  CHECK(usual.slots[s].storage == Storage::plain);
  t.f.slots[s].early = true;
  place_slots(t.f);
  CHECK(framed(t, s));
}

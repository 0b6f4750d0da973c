// A Function that breaks each rule in turn.
#include "lowering/ir/verify.hpp"

#include <doctest/doctest.h>

#include "tests/lowering/unit/function.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

bool caught(const Function& f, const std::string& what) {
  for (const std::string& e : verify(f)) {
    INFO(e);
    if (e.find(what) != std::string::npos) return true;
  }
  return false;
}

Instr pop(const Function& f, CleanupId c) {
  Instr i = TestFunction::instr(Op::pop, f.cleanups[c].slot);
  i.cleanup = c;
  return i;
}

}  // namespace

TEST_CASE("a sound function passes") {
  TestFunction t;
  t.object("a");
  t.suspend();
  t.object("b");
  t.suspend();
  CHECK(verify(t.finish()).empty());
}

TEST_CASE("no blocks") { CHECK(caught(Function{}, "no blocks")); }

TEST_CASE("an edge to a block that does not exist") {
  TestFunction t;
  t.b.leave(99, none);
  t.finish();
  CHECK(caught(t.f, "edge to a missing block"));
}

TEST_CASE("another cleanup is current at a join") {
  TestFunction t;
  const BlockId join = t.b.new_block();
  t.object("a");
  Terminator jump;
  jump.exit = Exit::jump;
  jump.to = {join};
  t.b.terminate(std::move(jump));  // without the cleanup that leave() would run
  t.b.enter(join, none);
  CHECK(caught(t.finish(), "another cleanup is current"));
}

TEST_CASE("an object is alive on one way into a block and not on another") {
  TestFunction t;
  const SlotId s = t.slot("a", "object");
  const BlockId yes = t.b.new_block(), no = t.b.new_block(), join = t.b.new_block();
  t.b.branch("c", yes, no, {});
  t.b.enter(yes, none);
  t.build(s);
  const CleanupId c = t.push(s);
  t.b.leave(join, c);
  t.b.enter(no, none);
  t.b.drop_to(c);  // the same cleanup is current, but nothing was built
  t.b.leave(join, c);
  t.b.enter(join, c);
  CHECK(caught(t.finish(), "different objects are alive"));
}

TEST_CASE("an object that is alive at a suspension but not covered would leak") {
  TestFunction t;
  t.object("a");
  t.b.drop_to(none);
  t.suspend();
  t.finish();
  CHECK(caught(t.f, "would leak a"));
}

TEST_CASE("a covered object that is not built would be destroyed by destroy()") {
  TestFunction t;
  const SlotId s = t.slot("a", "object");
  Cleanup c;
  c.slot = s;
  t.f.cleanups.push_back(c);
  t.b.drop_to(0);  // current without having been pushed
  t.suspend();
  CHECK(caught(t.finish(), "would destroy a, which is not built"));
}

TEST_CASE("an object is built while it is alive") {
  TestFunction t;
  const SlotId s = t.object("a");
  t.build(s);
  CHECK(caught(t.finish(), "a is built while alive"));
}

TEST_CASE("a push onto a cleanup that is not current") {
  TestFunction t;
  t.object("a");
  t.object("b");
  t.f.cleanups[t.b.top()].parent = none;
  CHECK(caught(t.finish(), "push onto a cleanup that is not current"));
}

TEST_CASE("a pop of a cleanup that is not current") {
  TestFunction t;
  t.object("a");
  const CleanupId a = t.b.top();
  t.object("b");
  t.b.emit(pop(t.f, a));
  CHECK(caught(t.finish(), "pop of a cleanup that is not current"));
}

TEST_CASE("an object is destroyed twice") {
  TestFunction t;
  t.object("a");
  const CleanupId a = t.b.top();
  t.b.pop_to(none);
  t.b.drop_to(a);
  t.b.emit(pop(t.f, a));
  t.b.drop_to(none);
  CHECK(caught(t.finish(), "a is destroyed but not alive"));
}

TEST_CASE("objects are alive when the frame goes") {
  TestFunction t;
  t.object("a");
  Terminator destroy;
  destroy.exit = Exit::destroy;
  t.b.terminate(std::move(destroy));
  t.finish();
  CHECK(caught(t.f, "objects alive when the frame goes"));
}

TEST_CASE("a slot that is not a flag is set as one") {
  TestFunction t;
  const SlotId s = t.scalar("n");
  t.b.emit(TestFunction::instr(Op::flag, s, "true"));
  CHECK(caught(t.finish(), "a flag that is not one"));
}

TEST_CASE("two slots of one name") {
  TestFunction t;
  t.scalar("n");
  t.scalar("n");
  CHECK(caught(t.finish(), "two slots are called n"));
}

TEST_CASE("jumps out of an opaque statement are edges, too") {
  TestFunction t;
  t.object("a");
  Instr i = TestFunction::instr(Op::statement, none, "goto " + mark(Mark::exit, 0) + ";");
  i.exits = {t.final};  // with the object alive: it should have gone to an exit block
  t.b.emit(std::move(i));
  CHECK(caught(t.finish(), "another cleanup is current"));
}

TEST_CASE("objects under a flag and trivial ones need no cover") {
  TestFunction t;
  const SlotId flag = t.slot("f", "bool", Origin::flag, true, 1), s = t.slot("a", "object"), n = t.scalar("n");
  t.b.emit(TestFunction::instr(Op::begin, s));
  t.b.emit(TestFunction::instr(Op::flag, flag, "false"));
  t.build(n);
  t.build(s);
  Cleanup c;
  c.slot = s;
  c.flag = flag;
  t.b.push(std::move(c));
  t.b.emit(TestFunction::instr(Op::flag, flag, "true"));
  t.suspend();
  CHECK(verify(t.finish()).empty());
}

// The text of the IR, there and back.
#include "lowering/ir/parse.hpp"

#include <doctest/doctest.h>

#include "lowering/ir/print.hpp"
#include "lowering/place_slots.hpp"
#include "tests/lowering/unit/function.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

void there_and_back(const Function& f) {
  const std::string text = print(f);
  INFO(text);
  const Parsed p = parse(text);
  CHECK(p.error.empty());
  REQUIRE(p.functions.size() == 1);
  CHECK(print(p.functions[0]) == text);
  CHECK(p.functions[0] == f);
}

std::string error(const std::string& text) { return parse(text).error; }

}  // namespace

TEST_CASE("every field of a function survives") {
  TestFunction t;
  Function& f = t.f;
  f.name = "a `name` with 100 % of\nthis\\that";
  f.promise_type = "job::promise_type";
  f.this_expression = "that";
  f.this_type = "thing";
  f.allocate = "new_frame(sizeof(" + mark(Mark::frame_type) + "))";
  f.deallocate = "free(hel_f)";
  f.has_this = f.own_allocation = f.allocation_may_fail = f.immovable_return = f.void_get_return_object = f.device =
      true;
  f.catches = false;
  f.promise_size = 24;
  f.promise_align = 8;
  f.where = {3, 7};
  f.declarations = {{"struct local {\n  int x;\n};", {4, 1}}, {"using t = int;", {}}};
  const SlotId p = t.slot("p", "std::string", Origin::parameter), c = t.slot("c", "int", Origin::capture, true, 4);
  f.parameters = {{p, "p"}};
  f.captures = {{c, "*that.c"}};
  f.promise_arguments = {slot_ref(p), "*this"};
  const SlotId s = t.slot("s", "T", Origin::temporary);
  Slot& described = f.slots[s];
  described.spelling = "written %";
  described.display = "my::T";
  described.empty = described.array = described.early = true;
  described.loaded = false;
  described.alignas_ = 64;
  described.storage = Storage::frame;
  described.why = "because of `it`";
  described.where = {9, 2};
  f.slots[c].form = Form::reference;
  f.slots[p].spelling = "";
  f.initial.suspends = Suspends::bool_;
  f.initial.live = {p, c};
  there_and_back(t.finish());
}

TEST_CASE("every instruction survives") {
  TestFunction t;
  const SlotId flag = t.slot("flag", "bool", Origin::flag, true, 1), a = t.slot("a", "pair"), n = t.scalar("n");
  for (const Init i : {Init::none, Init::direct, Init::list, Init::copy, Init::bind, Init::assign})
    t.build(n, i == Init::none ? "" : "{1, 2}", i);
  t.b.where = {12, 5};
  t.b.emit(TestFunction::instr(Op::flag, flag, "false"));
  t.b.emit(TestFunction::instr(Op::begin, a));
  Instr part = TestFunction::instr(Op::build, a, "  x<y>::z % 2 == `0` ? \"\\n\" : " + slot_ref(n) + "suffix");
  part.place = slot_ref(a) + ".first";
  part.type = "T<int>";
  t.b.emit(part);
  Cleanup c;
  c.slot = a;
  c.place = part.place;
  c.type = part.type;
  t.b.push(c);
  t.b.drop_to(none);
  c = {};
  c.slot = a;
  c.flag = flag;
  t.b.push(c);
  c.flag = none;
  c.code = "free(" + slot_ref(a) + ")";
  t.b.push(c);
  t.eval("use(" + slot_ref(a) + ", " + mark(Mark::promise) + ", " + mark(Mark::handle) + ", " + mark(Mark::self) +
         ", " + mark(Mark::frame_type) + ")");
  Instr jumps = TestFunction::instr(Op::statement, none,
                                    "static " + mark(Mark::type, a) + " " + mark(Mark::name, n) + ";\nif (n) " +
                                        mark(Mark::exit, 0) + ";");
  jumps.exits = {t.b.exit_block(t.final, none)};
  t.b.emit(jumps);
  Instr run = TestFunction::instr(Op::pop, a);
  run.cleanup = 1;
  run.init = Init::assign;
  t.b.emit(run);
  there_and_back(t.finish());
}

TEST_CASE("every way to end a block survives") {
  TestFunction t;
  const BlockId yes = t.b.new_block(), no = t.b.new_block(), first = t.b.new_block(), other = t.b.new_block();
  t.b.branch("a % b == 1", yes, no, {4, 2});
  t.b.enter(yes, none);
  Terminator select;
  select.exit = Exit::select;
  select.text = "n";
  select.to = {first, other, other};
  select.labels = {"1", "'`'", ""};
  t.b.terminate(select);
  t.b.enter(first, none);
  t.b.terminate({});
  t.b.enter(other, none);
  t.suspend("a b", AwaitKind::yield);
  t.f.blocks[other].term.await.suspends = Suspends::handle;
  t.b.leave(t.final, none);
  t.b.enter(no, none);
  there_and_back(t.finish());
}

TEST_CASE("a try block and cleanups that only become current survive") {
  TestFunction t;
  t.f.handlers.resize(1);
  const BlockId handler = t.b.new_block();
  Cleanup c;
  c.handler = 0;
  t.b.push(c);
  t.f.handlers[0] = {t.b.top(), handler};
  const SlotId a = t.object("a");
  const CleanupId doomed = t.b.top();
  t.object("b");
  Cleanup kept = t.f.cleanups[t.b.top()];
  t.b.settle(t.f.handlers[0].node, {doomed}, {kept});
  t.suspend(slot_ref(a));
  t.b.leave(t.final, none);
  t.b.enter(handler, none);
  t.b.emit(TestFunction::instr(Op::statement, none, "catch (...) {}"));
  there_and_back(t.finish());
}

TEST_CASE("a placed function survives") {
  TestFunction t;
  const SlotId n = t.scalar("n");
  t.build(n);
  t.suspend();
  t.eval(slot_ref(n));
  t.finish();
  place_slots(t.f);
  there_and_back(t.f);
}

TEST_CASE("several functions, empty lines and remarks") {
  const Parsed p =
      parse("# two\ncoroutine one\nb0: [-] entry\n    unreachable\n\ncoroutine two\nb0: [-]\n    destroy\n");
  CHECK(p.error.empty());
  REQUIRE(p.functions.size() == 2);
  CHECK(p.functions[1].name == "two");
  CHECK(p.functions[1].blocks[0].term.exit == Exit::destroy);
}

TEST_CASE("what is wrong is said with its line") {
  CHECK(error("slot %x : `int` local scalar") == "line 1: expected a coroutine first");
  CHECK(error("coroutine c\nslot %x : `int` local round") == "line 2: 'round' means nothing here");
  CHECK(error("coroutine c\nslot %x : `int local scalar") == "line 2: a text that does not end");
  CHECK(error("coroutine c\nslot %x : `int` local scalar warm") == "line 2: a slot is not 'warm'");
  CHECK(error("coroutine c\nslot %x : `int` local scalar\nslot %x : `int` local scalar") ==
        "line 3: two slots are called x");
  CHECK(error("coroutine c\nis nice") == "line 2: a coroutine is not 'nice'");
  CHECK(error("coroutine c\nregion 2 in 0") == "line 2: regions must be in order");
  CHECK(error("coroutine c\nhandler h1 of c0 b0") == "line 2: handlers must be in order");
  CHECK(error("coroutine c\nb1: [-]") == "line 2: blocks must be in order");
  CHECK(error("coroutine c\nfoo") == "line 2: 'foo' means nothing before the first block");
  CHECK(error("coroutine c\nb0: [-]\n  frob x") == "line 3: no such instruction: 'frob'");
  CHECK(error("coroutine c\nb0: [-]\n  eval %x") == "line 3: no slot is called 'x'");
  CHECK(error("coroutine c\nb0: [-]\n  eval %(nothing)") == "line 3: no such marker: 'nothing)'");
  CHECK(error("coroutine c\nb0: [-]\n  eval a\\") == "line 3: a text that ends in a backslash");
  CHECK(error("coroutine c\nb0: [-]\n  await 1") == "line 3: expected '#' before '1'");
  CHECK(error("coroutine c\nb0: [-]\n  jump b0 b1") == "line 3: 'b1' is too much");
  CHECK(error("coroutine c\nb0: [-]\n  jump x") == "line 3: expected b and a number before 'x'");
  CHECK(error("coroutine c\nb0: [c0]\n  destroy") == "line 3: cleanup c0 is not described");
  CHECK(error("coroutine c\ncleanup c0 on - = try h0\ncleanup c0 on - = try h0") ==
        "line 3: cleanup c0 is described twice");
}

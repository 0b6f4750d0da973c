// The IR executed: what happens in one run, and that no run breaks a rule that the IR was written to keep, or to break.
#include "lowering/ir/interpret.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "lowering/frame_layout.hpp"
#include "lowering/ir/parse.hpp"
#include "lowering/ir/print.hpp"
#include "lowering/place_slots.hpp"
#include "tests/lowering/unit/function.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

// Objects a, b, c; scalars n, m; a flag f; and the final suspension as block 1.
Function function(const std::string& blocks, const std::string& more = {}) {
  const Parsed p = parse(R"(coroutine test
  slot %start : `awaiter` awaiter object size 1 empty
  slot %a : `object` local object size 8 align 8 destroyed
  slot %b : `object` local object size 8 align 8 destroyed
  slot %c : `object` local object size 8 align 8 destroyed
  slot %n : `int` local scalar size 4 align 4
  slot %m : `int` local scalar size 4 align 4 constant
  slot %f : `bool` flag object size 1
)" + more + R"(
  initial build %start <- direct awaiter()
  initial await void %start
)" + blocks);
  REQUIRE(p.error == "");
  return p.functions[0];
}
const std::string final_block = "b1: [-] final\n    await #9 final void -> b2 : w\nb2: [-]\n    destroy\n";

// The trace of a run in which each choice takes the way that comes first in `ways` and is possible.
std::string trace(const Function& f, std::vector<Choice::Way> ways, const InterpretOptions& options = {}) {
  std::size_t next = 0;
  const Run run = interpret(f, options, [&](const std::vector<Choice>& all) {
    for (std::size_t i = 0; next < ways.size() && i < all.size(); ++i)
      if (all[i].way == ways[next]) return ++next, i;
    return std::size_t(0);
  });
  CHECK(run.faults.empty());
  return to_string(run.trace);
}

std::vector<std::string> faults(const Function& f, const InterpretOptions& options = {}) {
  return explore(f, options).faults;
}

bool caught(const Function& f, const std::string& what, const InterpretOptions& options = {}) {
  for (const std::string& fault : faults(f, options)) {
    INFO(fault);
    if (fault.starts_with(what)) return true;
  }
  return false;
}

const InterpretOptions placed{true, {}};
using Way = Choice::Way;

}  // namespace

TEST_CASE("one run: built, suspended, resumed, dropped in reverse order") {
  const Function f = function(R"(b0: [-] entry
    build %a <- direct 1
    push c0 on - = ~%a
    build %b <- direct 2
    push c1 on c0 = ~%b
    await #1 await void -> b3 : w
)" + final_block + R"(b3: [c1]
    eval use(%a, %b)
    pop c1 = ~%b
    pop c0 = ~%a
    jump b1
)");
  CHECK(trace(f, {Way::resumes, Way::on, Way::on, Way::suspends, Way::resumes}) ==
        "resume; build a; build b; suspend; resume; eval use(a, b); drop b; drop a; finish; over");
  CHECK(trace(f, {Way::resumes, Way::on, Way::on, Way::suspends, Way::destroyed}) ==
        "resume; build a; build b; suspend; destroy; drop b; drop a; over");
  CHECK(trace(f, {Way::destroyed}) == "destroy; over");
  CHECK(trace(f, {Way::resumes, Way::on, Way::throws}) == "resume; build a; exception; drop a; finish; over");
  const Exploration e = explore(f, {});
  CHECK(e.faults.empty());
  CHECK(e.complete);
  CHECK(e.runs > 3);
}

TEST_CASE("an exception goes to the innermost handler, past what lives inside of its try") {
  const Function f = function(R"(b0: [-] entry
    build %a <- direct 1
    push c0 on - = ~%a
    push c1 on c0 = try h0
    build %b <- direct 2
    push c2 on c1 = ~%b
    await #1 await void -> b3 : w
)" + final_block + R"(b3: [c2]
    pop c2 = ~%b
    pop c1
    jump b5
b4: [c0]
    statement : catch (...) {}
    jump b5
b5: [c0]
    pop c0 = ~%a
    jump b1
)",
                              "  handler h0 of c1 b4\n");
  CHECK(trace(f, {Way::resumes, Way::on, Way::on, Way::throws}) ==
        "resume; build a; build b; exception; drop b; caught; eval catch (...) {}; drop a; finish; over");
  CHECK(trace(f, {Way::resumes, Way::on, Way::on, Way::suspends, Way::destroyed}) ==
        "resume; build a; build b; suspend; destroy; drop b; drop a; over");
  CHECK(faults(f).empty());
}

TEST_CASE("a flag says whether there is something to drop") {
  const std::string text = R"(b0: [-] entry
    begin %a
    flag %f := false
    branch b3 b4 by n
)" + final_block + R"(b3: [-]
    build %a <- direct 1
    push c0 on - = ~%a if %f
    flag %f := true
    await #1 await void -> b5 : w
b4: [-]
    drop to c0
    jump b5
b5: [c0]
    await #2 await void -> b6 : w
b6: [c0]
    pop c0 = ~%a
    jump b1
)";
  const Function f = function(text);
  CHECK(faults(f).empty());
  CHECK(trace(f, {Way::resumes, Way::to, Way::on, Way::ready, Way::suspends, Way::destroyed})
            .ends_with("suspend; destroy; drop a; over"));
  std::string unset = text;
  unset.erase(unset.find("    flag %f := true\n"), 20);
  CHECK(caught(function(unset), "a is alive, but the stack does not cover it"));
  std::string always = text;
  always.replace(always.find("%f := false"), 11, "%f := true ");
  CHECK_FALSE(caught(function(always), "a is covered, but not alive"));  // "true " is no truth value
  always.replace(always.find("%f := true "), 11, "%f := true\n");
  CHECK(caught(function(always), "a is covered, but not alive"));
}

TEST_CASE("loops end because states repeat") {
  const Function f = function(R"(b0: [-] entry
    jump b3
)" + final_block + R"(b3: [-]
    build %a <- direct 1
    push c0 on - = ~%a
    await #1 await bool -> b4 : w
b4: [c0]
    pop c0 = ~%a
    branch b3 b1 by more
)");
  const Exploration e = explore(f, {});
  CHECK(e.faults.empty());
  CHECK(e.complete);
  CHECK_FALSE(explore(f, {}, 3).complete);
}

TEST_CASE("rules about objects") {
  const auto body = [](const std::string& lines) {
    return function("b0: [-] entry\n" + lines + "    jump b1\n" + final_block);
  };
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n    build %a <- direct 1\n    pop c0 = ~%a\n"),
               "a is built while alive"));
  CHECK(caught(body("    eval use(%a)\n"), "a is used, but nothing was built there"));
  CHECK(caught(body("    begin %a\n    eval use(%a)\n"), "a is used, but is not built"));
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n    pop c0 = ~%a\n    eval use(%a)\n"),
               "a is used, but nothing was built there"));
  CHECK(caught(body("    build %a <- direct 1\n    eval f()\n    push c0 on - = ~%a\n    pop c0 = ~%a\n"),
               "a is alive, but the stack does not cover it"));
  CHECK(caught(body("    push c0 on - = ~%a\n    pop c0 = ~%a\n"), "a is covered, but not built"));
  CHECK(caught(body("    build %a <- direct 1\n"), "a is alive, but the stack does not cover it"));
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n    drop to -\n"),
               "a is alive, but the stack does not cover it"));
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n    build %b <- direct 1\n    push c1 on c0 = "
                    "~%b\n    pop c0 = ~%a\n    pop c1 = ~%b\n"),
               "pop of a cleanup that is not current"));
  CHECK(caught(body("    build %a <- direct 1\n    build %b <- direct 1\n    push c0 on - = ~%b\n    push c1 on c0 = "
                    "~%a\n    pop c1 = ~%a\n    pop c0 = ~%b\n"),
               "a is alive, but the stack does not cover it"));
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n"), "another cleanup is current") == false);
  CHECK(caught(body("    build %a <- direct 1\n    push c0 on - = ~%a\n"), "a is alive at the final suspension"));
}

TEST_CASE("the stack must be in reverse order of construction") {
  Function f = function(R"(b0: [-] entry
    build %a <- direct 1
    build %b <- direct 2
    push c0 on - = ~%b
    push c1 on c0 = ~%a
    await #1 await void -> b3 : w
)" + final_block + "b3: [c1]\n    pop c1 = ~%a\n    pop c0 = ~%b\n    jump b1\n");
  f.catches = false;  // otherwise building b may throw while nothing covers a
  CHECK(caught(f, "the stack is not in reverse order of construction"));
}

TEST_CASE("parts become a whole") {
  const std::string text = R"(b0: [-] entry
    begin %a
    build %a part `%a.x` as `object` <- direct 1
    push c0 on - = ~%a part `%a.x` as `object`
    build %a part `%a.n` as `int` <- direct f()
    drop to -
    push c1 on - = ~%a
    await #1 await void -> b3 : w
)" + final_block + "b3: [c1]\n    eval use(%a)\n    pop c1 = ~%a\n    jump b1\n";
  CHECK(faults(function(text)).empty());
  const auto without = [&](const std::string& line) {
    std::string t = text;
    const std::size_t at = t.find("    " + line);
    REQUIRE(at != std::string::npos);
    t.erase(at, t.find('\n', at) + 1 - at);
    return function(t);
  };
  CHECK(caught(without("begin"), "a.x is built, but its storage is not there"));
  CHECK(caught(
      function(text.substr(0, text.find("    push c1")) + "    eval f()\n" + text.substr(text.find("    push c1"))),
      "the parts of a are complete, but the whole is not covered"));
  CHECK(caught(
      function(
          "b0: [-] entry\n    begin %a\n    push c0 on - = ~%a part `%a.x` as `t`\n    pop c0 = ~%a\n    jump b1\n" +
          final_block),
      "a.x is covered, but not built"));
}

TEST_CASE("memory of a new-expression goes back or becomes the user's") {
  const std::string text = R"(b0: [-] entry
    build %m <- direct operator new(8)
    push c0 on - = ~%m run `operator delete(%m)`
    await #1 await void -> b3 live %m : w
)" + final_block + "b3: [c0]\n    drop to -\n    eval keep(%m)\n    jump b1\n";
  CHECK(faults(function(text)).empty());
  CHECK(trace(function(text), {Way::resumes, Way::on, Way::suspends, Way::destroyed})
            .ends_with("destroy; drop the memory of m; over"));
}

TEST_CASE("what is used after a suspension was kept in the frame") {
  const std::string text = "b0: [-] entry\n    build %n <- assign 1\n    await #1 await void -> b3 live %n : w\n" +
                           final_block + "b3: [-]\n    eval use(%n)\n    jump b1\n";
  Function f = function(text);
  CHECK(caught(f, "n is alive across a suspension, but not in the frame", placed));
  f.slots[4].storage = Storage::frame;
  CHECK(faults(f, placed).empty());
  f.blocks[0].term.await.live.clear();
  CHECK(caught(f, "n is used after a suspension that it was not kept across", placed));
  Function unbuilt =
      function("b0: [-] entry\n    await #1 await void -> b3 live %n : w\n" + final_block + "b3: [-]\n    jump b1\n");
  unbuilt.slots[4].storage = Storage::frame;
  CHECK(caught(unbuilt, "n is kept across a suspension, but nothing was built there", placed));
}

TEST_CASE("two slots that share bytes are never in use at once") {
  Function f = function(R"(b0: [-] entry
    build %a <- direct 1
    push c0 on - = ~%a
    await #1 await void -> b3 live %a : w
)" + final_block + R"(b3: [c0]
    build %b <- direct 1
    push c1 on c0 = ~%b
    await #2 await void -> b4 live %a %b : w
b4: [c1]
    pop c1 = ~%b
    pop c0 = ~%a
    jump b1
)");
  f.slots[1].storage = f.slots[2].storage = Storage::frame;
  CHECK(faults(f, {true, {{1, 24, 32}, {2, 32, 40}}}).empty());
  CHECK(caught(f, "a is used after its bytes in the frame were given to another slot",
               {true, {{1, 24, 32}, {2, 28, 36}}}));
  // One after the other they may.
  f = function(R"(b0: [-] entry
    build %a <- direct 1
    push c0 on - = ~%a
    await #1 await void -> b3 live %a : w
)" + final_block +
               R"(b3: [c0]
    pop c0 = ~%a
    build %b <- direct 1
    push c1 on - = ~%b
    await #2 await void -> b4 live %b : w
b4: [c1]
    pop c1 = ~%b
    jump b1
)");
  f.slots[1].storage = f.slots[2].storage = Storage::frame;
  CHECK(faults(f, {true, {{1, 24, 32}, {2, 24, 32}}}).empty());
}

TEST_CASE("a scalar is stored at suspensions, a constant when it is built") {
  const std::string text = R"(b0: [-] entry
    build %m <- assign 1
    build %n <- assign 1
    await #1 await void -> b3 live %m : w
)" + final_block + R"(b3: [-]
    build %n <- assign 2
    await #2 await void -> b4 live %m %n : w
b4: [-]
    eval use(%n, %m)
    jump b1
)";
  Function f = function(text);
  f.slots[4].storage = f.slots[5].storage = Storage::frame;
  CHECK(faults(f, {true, {{4, 24, 28}, {5, 28, 32}}}).empty());
  CHECK(caught(f, "m is kept across a suspension in bytes that another slot has", {true, {{4, 24, 28}, {5, 24, 28}}}));
}

TEST_CASE("what place_slots and the layout make of it keeps the rules") {
  TestFunction t;
  const SlotId i = t.scalar("i");
  t.build(i, "0", Init::assign);
  const BlockId head = t.b.new_block(), body = t.b.new_block(), out = t.b.new_block();
  t.b.fall_into(head);
  t.b.branch(slot_ref(i) + " < 3", body, out, {});
  t.b.enter(body, none);
  t.b.open_region();
  const SlotId a = t.object("a");
  t.suspend();
  t.eval("use(" + slot_ref(a) + ")");
  t.b.pop_to(none);
  t.b.close_region();
  t.b.open_region();
  t.object("b");
  t.suspend();
  t.b.pop_to(none);
  t.b.close_region();
  t.eval("++" + slot_ref(i));
  t.b.leave(head, none);
  t.b.enter(out, none);
  t.finish();
  place_slots(t.f);
  std::map<SlotId, std::string> types;
  for (SlotId s = 0; s < t.f.slots.size(); ++s) types[s] = "x";
  const FrameLayout layout = lay_out(t.f, 24, 8, types);
  CHECK(faults(t.f, {true, bytes(t.f, layout)}).empty());
}

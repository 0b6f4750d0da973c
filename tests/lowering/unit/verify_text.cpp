// The verifier on IR that is written by hand: a sound function, and each rule broken by changing one line of it.
#include <doctest/doctest.h>

#include "lowering/ir/parse.hpp"
#include "lowering/ir/verify.hpp"

using namespace hel::lowering::ir;

namespace {

const std::string sound = R"(coroutine test
  suspensions 4
  slot %start : `awaiter` awaiter object size 1 empty
  slot %a : `object` local object region 1 size 8 align 8 destroyed frame `alive`
  slot %b : `object` temporary object size 8 align 8 destroyed
  slot %f : `bool` flag object size 1
  slot %n : `int` local scalar size 4 align 4 frame `alive`
  slot %r : `int` local reference
  slot %p : `int` parameter scalar size 4 align 4 frame `parameter`
  region 1 in 0
  parameter %p p
  initial build %start <- direct awaiter()
  initial await void %start live %p
  handler h0 of c1 b5
b0: [-] entry
    build %a <- direct %p
    push c0 on - = ~%a
    build %n <- assign 1
    push c1 on c0 = try h0
    begin %b
    flag %f := false
    branch b3 b4 by %n > 0
b1: [-] final
    await #3 final void -> b2 : w
b2: [-]
    destroy
b3: [c1]
    build %b <- direct 2
    push c2 on c1 = ~%b if %f
    flag %f := true
    eval use(%b)
    jump b6
b4: [c1]
    drop to c2
    jump b6
b5: [c0]
    statement -> b8 : catch (...) { %(exit 0); }
    jump b9
b6: [c2]
    pop c2 = ~%b
    await #1 await void -> b7 live %a %n : w
b7: [c1]
    build %r <- bind %n
    eval use(%r, %a)
    pop c1
    select %n
      b9 case 1
      b10 default
b8: [c0]
    pop c0 = ~%a
    jump b1
b9: [c0]
    await #2 yield bool -> b10 live %a : w
b10: [c0]
    pop c0 = ~%a
    jump b1
)";

Function read(const std::string& text) {
  const Parsed p = parse(text);
  REQUIRE(p.error == "");
  return p.functions[0];
}

// The first fault after one change.
std::string fault(const std::string& line, const std::string& instead, Stage stage = Stage::placed) {
  std::string text = sound;
  const std::size_t at = text.find(line);
  REQUIRE(at != std::string::npos);
  text.replace(at, line.size(), instead);
  const std::vector<std::string> all = verify(read(text), stage);
  return all.empty() ? "" : all[0];
}

}  // namespace

TEST_CASE("the function is sound as it stands") {
  CHECK(verify(read(sound)).empty());
  CHECK(verify(read(sound), Stage::placed).empty());
}

TEST_CASE("what is kept across a suspension is built on every way to it") {
  CHECK(fault("    build %n <- assign 1\n", "") == "block 0: n is used, but not built on every way there");
  CHECK(fault("live %a %n : w", "live %a %n %r : w") ==
        "block 6: r is kept across a suspension, but not built on every way there");
  CHECK(fault("b10 live %a : w", "b10 live %a %r : w") ==
        "block 9: r is kept across a suspension, but not built on every way there");
  CHECK(fault("start live %p", "start live %p %n") == "");  // the ramp's: nothing to read back, nothing that is used
}

TEST_CASE("what is used was built on every way") {
  CHECK(fault("eval use(%b)", "eval use(%r)") == "block 3: r is used, but not built on every way there");
  CHECK(fault("branch b3 b4 by %n > 0", "branch b3 b4 by %r > 0") ==
        "block 0: r is used, but not built on every way there");
  CHECK(fault("catch (...) {", "catch (...) { %r;") == "block 5: r is used, but not built on every way there");
  CHECK(fault("    begin %b\n", "") == "block 6: b goes out of scope, but is not built on every way there");
  CHECK(fault("    flag %f := false\n", "") == "block 6: the flag f is asked, but not set on every way there");
}

TEST_CASE("what is used after a suspension was kept") {
  CHECK(fault("live %a %n : w", "live %a : w") == "block 7: n is used, but not built on every way there");
  CHECK(fault("live %a %n : w", "live %a : w", Stage::built) == "");
  CHECK(fault("4 align 4 frame `alive`", "4 align 4") ==
        "block 6: n is kept across a suspension, but not in the frame");
  CHECK(fault("destroyed frame `alive`", "destroyed") ==
        "block 6: a is kept across a suspension, but not in the frame");
  CHECK(fault("eval use(%r, %a)", "eval use(%r, %a, %p)") == "block 7: p is used, but not built on every way there");
}

TEST_CASE("an object is covered as soon as it is built, and not before") {
  CHECK(fault("    push c0 on - = ~%a\n    build %n <- assign 1\n",
              "    build %n <- assign 1\n    push c0 on - = ~%a\n") ==
        "block 0: a is built, but nothing covers it yet");
  CHECK(fault("    build %a <- direct %p\n", "") == "block 0: a is covered, but not built");
  CHECK(fault("    build %a <- direct %p\n", "    begin %a\n    build %a part `%a.x` as `int` <- direct 1\n") == "");
}

TEST_CASE("form: numbers mean something") {
  CHECK(fault("jump b6", "jump b60") == "block 3: edge to a missing block");
  CHECK(fault("eval use(%b)", "eval use(%#99)") == "block 3: a text names no slot");
  CHECK(fault("eval use(%b)", "eval %(exit 0)") == "block 3: a text jumps to no exit");
  CHECK(fault("object region 1", "object region 7") == "a is in no region");
  CHECK(fault("region 1 in 0", "region 1 in 1") == "region 1 is in one that is not older");
  CHECK(fault("push c1 on c0", "push c1 on c2") == "c1 is on one that is not older");
  CHECK(fault("try h0", "try h7") == "c1: no such handler");
  CHECK(fault("h0 of c1 b5", "h0 of c1 b55") == "h0: edge to a missing block");
  CHECK(fault("h0 of c1 b5", "h0 of c0 b5") == "h0 belongs to a cleanup of something else");
  CHECK(fault("h0 of c1 b5", "h0 of c1 b6") == "h0 is not one statement");
  CHECK(fault("~%b if %f", "~%b if %n") == "c2 is under a flag that is none");
  CHECK(fault("%(exit 0); }", "%(exit 1); }") == "block 5: a text jumps to no exit");
}

TEST_CASE("form: blocks end as they should") {
  CHECK(fault("branch b3 b4 by", "branch b3 by") == "block 0 ends in 1 ways instead of 2");
  CHECK(fault("#1 await void -> b7 live", "#1 await void -> b7 b8 live") == "block 6 ends in 2 ways instead of 1");
  CHECK(fault("      b10 default\n", "      b10 case 2\n") == "block 7: a switch without one default");
  CHECK(fault("#1 await", "#2 await") == "block 9: two suspensions with index 2");
  CHECK(fault("#1 await", "#9 await") == "block 6: a suspension index that does not exist");
  CHECK(fault("#1 await void", "#1 initial void") == "block 6: the initial suspension is the ramp's");
  CHECK(fault("#1 await void", "#1 await release") == "block 6: only the final awaiter can take the frame");
}

TEST_CASE("form: instructions are about the right slots") {
  CHECK(fault("pop c0 = ~%a", "pop c0 = ~%b") == "block 8: a pop of another slot than its cleanup's");
  CHECK(fault("flag %f := true", "flag %n := true") == "block 3: a flag that is not one is set");
  CHECK(fault("flag %f := true", "flag %f := maybe") == "block 3: a flag is set to 'maybe'");
  CHECK(fault("build %r <- bind %n", "build %r <- assign %n") == "block 7: the reference r is not bound");
  CHECK(fault("scalar size 4 align 4 frame `alive`", "scalar size 4 align 4 destroyed frame `alive`") ==
        "n is no object, but is destroyed");
}

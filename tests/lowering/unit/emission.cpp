#include "lowering/emit.hpp"

#include <doctest/doctest.h>

#include "tests/lowering/unit/function.hpp"
#include "lowering/place_slots.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string emitted(TestFunction& t, bool lines = false) {
  place_slots(t.finish());
  EmitOptions options;
  options.file = "dir/a \"b\"\\c.cpp";
  options.lines = lines;
  return emit(t.f, options);
}

}  // namespace

TEST_CASE("no marker is left in the text") {
  TestFunction t;
  t.object("a");
  t.suspend();
  t.eval("use(" + slot_ref(1) + ", " + mark(Mark::promise) + ")");
  const std::string out = emitted(t);
  CHECK_FALSE(has(out, "\x01"));
  CHECK_FALSE(has(out, "\x02"));
}

TEST_CASE("the text is a body in braces, balanced, for one ABI") {
  TestFunction t;
  t.suspend();
  const std::string out = emitted(t);
  CHECK(out.front() == '{');
  CHECK(out.back() == '}');
  CHECK(std::count(out.begin(), out.end(), '{') == std::count(out.begin(), out.end(), '}'));
  CHECK(has(out, "::hel::abi::expects<"));
}

TEST_CASE("each suspension point is a case") {
  TestFunction few;
  few.suspend();
  const std::string out = emitted(few);
  CHECK(has(out, "case 0:"));
  CHECK(has(out, "case 1:"));
  CHECK(has(out, "unsigned int hel_index;"));
  TestFunction many;
  for (int i = 0; i < 300; ++i) many.suspend();
  const std::string wide = emitted(many);
  CHECK(has(wide, "unsigned int hel_index;"));
  CHECK(has(wide, "case 299:"));
}

TEST_CASE("an object across a suspension is built in the frame with ::new and destroyed on all ways out") {
  TestFunction t;
  t.object("thing");
  t.suspend();
  const std::string out = emitted(t);
  CHECK(has(out, "::new (static_cast<void*>(&hel_f->thing)) object(1)"));
  CHECK(has(out, "::hel::abi::slot<object> thing;"));
}

TEST_CASE("#line directives only when asked for, with the file name escaped") {
  TestFunction a, b;
  a.suspend();
  b.suspend();
  CHECK_FALSE(has(emitted(a, false), "#line"));
  const std::string out = emitted(b, true);
  CHECK(has(out, "#line 2 \"dir/a \\\"b\\\"\\\\c.cpp\""));
  CHECK(has(out, here_directive));
}

TEST_CASE("a coroutine whose promise cannot catch gets no try block") {
  TestFunction with, without;
  with.suspend();
  without.suspend();
  without.f.catches = false;
  CHECK(has(emitted(with), "catch (...)"));
  CHECK_FALSE(has(emitted(without), "catch (...)"));
}

TEST_CASE("the description says for each member how large it is and why it is there") {
  TestFunction t;
  t.f.name = "app::work";
  t.object("thing");
  t.suspend();
  place_slots(t.finish());
  const std::string out = describe_frame(t.f);
  CHECK(has(out, "app::work: 32 bytes, alignment 8, 3 suspension points"));
  CHECK(has(out, "thing: object  -- alive across the suspension at line 2"));
  CHECK(has(out, "promise"));
}

TEST_CASE("the switch of a device file has a case for each type") {
  const std::string out = emit_device_switch({1, 2}, "unit", false);
  CHECK(has(out, "case 1: return device_resume(device_type<hel_unit, 1>{}, frame);"));
  CHECK(has(out, "case 2:"));
  CHECK_FALSE(has(out, "case 3:"));
  CHECK(has(out, "destroy_unit(void* frame)"));
}

TEST_CASE("a device file ends with its program") {
  const std::string out = emit_device_switch({1}, "unit", true);
  CHECK(has(out, "static constexpr bool groups = true;"));
  CHECK(has(emit_device_switch({1}, "unit", false), "static constexpr bool groups = false;"));
  CHECK(has(out, "static __device__ void* resume(void* frame) { return resume_unit(frame); }"));
  CHECK(has(out, "HEL_DEVICE_PROGRAM(::hel::abi::device::unit_unit)"));
}

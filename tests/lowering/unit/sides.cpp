// Texts with parts for one side, and what emit() makes of a coroutine for both.
#include <doctest/doctest.h>

#include "function.hpp"
#include "lowering/emit.hpp"
#include "lowering/ir/text.hpp"
#include "lowering/place_slots.hpp"

using namespace hel::lowering;
using namespace hel::lowering::ir;

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

EmitOptions for_both_sides(bool nested) {
  EmitOptions o;
  o.lines = false;
  o.cuda = true;
  o.nested = nested;
  o.type_id = "7";
  return o;
}

}  // namespace

TEST_CASE("parts for one side are kept for it and for both") {
  const Text t = "a" + only_for(Side::host, "h" + only_for(Side::device, "x") + "i") + "b" +
                 only_for(Side::device, "d" + only_for(Side::host, "y") + "e") + "c";
  CHECK(for_both(t) == "ahxibdyec");
  CHECK(for_both(without(t, Side::device)) == "ahibc");
  CHECK(for_both(without(t, Side::host)) == "abdec");
  CHECK(for_both(without(without(t, Side::device), Side::host)) == "abc");
  CHECK(only_for(Side::host, "").empty());
}

TEST_CASE("a coroutine inside of another keeps the form of each side apart") {
  TestFunction t;
  t.f.device = true;
  t.suspend();
  place_slots(t.finish());
  const Text whole = emit(t.f, for_both_sides(false));
  CHECK(for_both(whole) == whole);
  CHECK(has(whole, "#if !defined(__CUDA_ARCH__)"));
  CHECK(has(whole, "device_define<hel_unit, 7, hel_ops>"));
  const Text nested = emit(t.f, for_both_sides(true));
  CHECK(for_both(nested) == whole);
  const Text host = for_both(without(nested, Side::device)), device = for_both(without(nested, Side::host));
  CHECK(has(host, "hel_resume("));
  CHECK_FALSE(has(host, "__device__"));
  CHECK_FALSE(has(host, "__CUDA_ARCH__"));
  CHECK(has(device, "hel_device_resume("));
  CHECK(has(device, "device_define<hel_unit, 7, hel_ops>"));
  CHECK_FALSE(has(device, "hel_info()"));
  CHECK_FALSE(has(device, "__CUDA_ARCH__"));
}

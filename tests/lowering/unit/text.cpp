#include "lowering/ir/text.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hel::lowering::ir;

TEST_CASE("a marker is rendered by its kind and number") {
  const Text t = "f(" + slot_ref(3) + ", " + mark(Mark::promise) + ")" + mark(Mark::exit, 12);
  const std::string out = render(t, [](Mark k, std::uint32_t n) { return std::string(1, static_cast<char>(k)) + std::to_string(n); });
  CHECK(out == "f(s3, P0)x12");
}

TEST_CASE("text without markers stays as it is, to the last byte") {
  for (const std::string t : {"", "x", "\tint größe = R\"(\\n)\";\r\n", "a\n\n"})
    CHECK(render(t, [](Mark, std::uint32_t) { return std::string("?"); }) == t);
}

TEST_CASE("what is rendered is not rendered again") {
  const std::string out = render(slot_ref(0), [](Mark, std::uint32_t) { return mark(Mark::slot, 1); });
  CHECK(out == slot_ref(1));
}

TEST_CASE("scan visits literals and markers in order") {
  std::vector<std::string> seen;
  scan(
      "a" + slot_ref(1) + slot_ref(4000000000u) + "b", [&](std::string_view s) { seen.emplace_back(s); },
      [&](Mark, std::uint32_t n) { seen.push_back("#" + std::to_string(n)); });
  CHECK(seen == std::vector<std::string>{"a", "#1", "#4000000000", "b"});
}

TEST_CASE("only objects count as mentioned slots") {
  const Text t = slot_ref(2) + mark(Mark::type, 5) + mark(Mark::name, 6) + slot_ref(2) + slot_ref(7);
  CHECK(slots_of(t) == std::set<SlotId>{2, 7});
  CHECK(mentions(t, Mark::type));
  CHECK_FALSE(mentions(t, Mark::promise));
}

// What the stepper reads from the tables of coroutines, on tables made by hand.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "runtime/cpu/stepper_tables.hpp"

#include <doctest/doctest.h>
#include <string>

#include "hel/abi/format.hpp"

using namespace hel;

namespace {

struct frame {
  void (*resume)(void*);
  void (*destroy)(void*);
  int n = 7;
  const std::string* name;
  unsigned char index = 1;
};

void destroy_first(void*) {}
void destroy_second(void*) {}

const abi::member_info members[] = {
    {"n", "int", offsetof(frame, n), false, abi::format<int>},
    {"name", "const std::string&", offsetof(frame, name), true, abi::format<std::string>},
    {"opaque", "widget", offsetof(frame, n), false, nullptr},
};
const std::uint16_t all[] = {0, 1, 2};
const abi::state_info first_states[] = {{10, 1, "initial_suspend", nullptr, 0},
                                        {12, 5, "co_await", all, 3},
                                        {12, 20, "co_await", all, 1},
                                        {15, 1, "final_suspend", nullptr, 0}};
const abi::state_info second_states[] = {{30, 1, "initial_suspend", nullptr, 0}, {33, 5, "co_yield", nullptr, 0}};

const abi::frame_info first{
    "first", "/src/app/one.cpp", 10, sizeof(frame), alignof(frame), offsetof(frame, index), 1, members, first_states, 3,
    4,       destroy_first};
const abi::frame_info second{"second",
                             "/src/lib/two.cpp",
                             30,
                             sizeof(frame),
                             alignof(frame),
                             offsetof(frame, index),
                             1,
                             members,
                             second_states,
                             3,
                             2,
                             destroy_second};
const abi::frame_info twin{
    "twin", "/src/lib/one.cpp", 1, sizeof(frame), alignof(frame), offsetof(frame, index), 1, members, second_states, 3,
    2,      destroy_second};
const abi::frame_registrar registrars[] = {abi::frame_registrar(&first), abi::frame_registrar(&second),
                                           abi::frame_registrar(&twin)};

std::vector<std::uint32_t> lines(const exec::binding& b) {
  std::vector<std::uint32_t> out;
  for (const exec::suspension_point& p : b.points) out.push_back(p.state->line);
  return out;
}

}  // namespace

TEST_CASE("a breakpoint binds to the first suspension point from its line on") {
  CHECK(exec::table_count() == 3);
  CHECK(lines(exec::bind("two.cpp", 1)) == std::vector<std::uint32_t>{30});
  CHECK(lines(exec::bind("two.cpp", 31)) == std::vector<std::uint32_t>{33});
  // two on one line
  CHECK(lines(exec::bind("app/one.cpp", 11)) == std::vector<std::uint32_t>{12, 12});
  // the end of a coroutine is none
  CHECK(exec::bind("app/one.cpp", 13).points.empty());
  CHECK(exec::bind("app/one.cpp", 13).error == "app/one.cpp has no suspension point at line 13 or after it");
}

TEST_CASE("a file is named by the end of its path") {
  for (const char* name : {"two.cpp", "lib/two.cpp", "./two.cpp", "/src/lib/two.cpp", "/other/root/src/lib/two.cpp"}) {
    CAPTURE(name);
    const bool known = std::string(name) != "/other/root/src/lib/two.cpp";
    CHECK(exec::bind(name, 30).points.size() == (known ? 1 : 0));
  }
  CHECK(exec::bind("o.cpp", 1).error == "no lowered coroutine comes from a file o.cpp");
  CHECK(exec::bind("", 1).points.empty());
  CHECK(exec::bind("one.cpp", 1).error.starts_with("one.cpp fits several files"));
}

TEST_CASE("a suspended frame is recognised and its members are printed") {
  const std::string name = "a\"b\n";
  frame f{nullptr, destroy_first, 7, &name};
  const exec::suspension_point at = exec::current_point(&f);
  REQUIRE(at.function == &first);
  CHECK(at.state == &first_states[1]);
  CHECK(exec::describe(at) == R"("function":"first","file":"/src/app/one.cpp","line":12,"column":5,"kind":"co_await")");
  const std::string locals = exec::describe_locals(&f, at);
  CHECK(locals.starts_with(R"([{"name":"n","type":"int","value":"7"},)"));
  CHECK(locals.find(R"("name":"name")") != std::string::npos);
  CHECK(locals.ends_with(R"({"name":"opaque","type":"widget","value":"{...}"}])"));

  frame unknown{nullptr, [](void*) {}, 7, &name};
  CHECK(exec::current_point(&unknown).function == nullptr);
}

TEST_CASE("text becomes a JSON string whatever its bytes") {
  CHECK(exec::json_string("plain") == "\"plain\"");
  CHECK(exec::json_string("a\"b\\c\n\x01") == R"("a\"b\\c\u000a\u0001")");
  CHECK(exec::json_string("gr\xc3\xbc\xc3\x9f") == "\"gr\xc3\xbc\xc3\x9f\"");
  CHECK(exec::json_string("\xf0\x9f\x98\x80") == "\"\xf0\x9f\x98\x80\"");
  CHECK(exec::json_string("\xff\xc3") == R"("\\xff\\xc3")");
  CHECK(exec::json_string("\xc0\xaf") == R"("\\xc0\\xaf")");           // overlong
  CHECK(exec::json_string("\xed\xa0\x80") == R"("\\xed\\xa0\\x80")");  // a surrogate
  CHECK(exec::json_string(std::string_view("\0", 1)) == R"("\u0000")");
}

// hel::expected and hel::tuple.
#include <memory>

#include "support.hpp"

using hel::error;
using hel::expected;
using hel::unexpected;

TEST_CASE("expected holds a value or an error") {
  expected<std::string, error> good(std::string("yes"));
  expected<std::string, error> bad = unexpected<error>(error(3));
  REQUIRE(good.has_value());
  CHECK(*good == "yes");
  CHECK(good->size() == 3);
  CHECK(good.value() == "yes");
  CHECK(good.value_or("no") == "yes");
  REQUIRE(!bad);
  CHECK(bad.error() == error(3));
  CHECK(bad.value_or("no") == "no");
  CHECK_THROWS_AS(bad.value(), hel::bad_expected_access);
}

TEST_CASE("expected copies, moves and assigns across states") {
  expected<std::string, error> a(std::string(100, 'x'));
  expected<std::string, error> b = a;
  CHECK(*b == *a);
  b = unexpected<error>(error(1));
  CHECK(!b);
  b = a;
  CHECK(*b == *a);
  expected<std::unique_ptr<int>, error> p(std::make_unique<int>(4));
  expected<std::unique_ptr<int>, error> q = std::move(p);
  CHECK(**q == 4);
  std::unique_ptr<int> out = *std::move(q);
  CHECK(*out == 4);
}

TEST_CASE("expected of void and of references") {
  expected<void, error> nothing;
  CHECK(nothing.has_value());
  expected<void, error> bad = unexpected<error>(hel::errc::closed);
  CHECK(bad.error() == hel::errc::closed);
  int n = 1;
  expected<int&, error> r(n);
  *r = 2;
  CHECK(n == 2);
  CHECK(&*r == &n);
}

TEST_CASE("tuple") {
  hel::tuple<int, std::string, std::unique_ptr<int>> t{{{1}, {"two"}, {std::make_unique<int>(3)}}};
  auto& [a, b, c] = t;
  CHECK(a == 1);
  CHECK(b == "two");
  CHECK(*c == 3);
  std::unique_ptr<int> moved = hel::get<2>(std::move(t));
  CHECK(*moved == 3);
  CHECK(hel::get<2>(t) == nullptr);
}

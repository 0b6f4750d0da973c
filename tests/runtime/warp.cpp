// Group tasks of one warp: shuffles, ballots, barriers, suspensions of the whole group, divergence.
#include <array>
#include <stdexcept>

#include "support.hpp"

namespace {

hel::warp_task<int> sum_lanes() {
  int v = static_cast<int>(hel::lane());
  for (unsigned d = 16; d > 0; d /= 2) v += hel::shfl_down(v, d);
  co_return v;
}
hel::task<int> run_sum() { co_return co_await hel::warp(sum_lanes); }

struct wide {
  long a;
  char b[40];
};
hel::warp_task<int> shuffles() {
  const unsigned me = hel::lane();
  int wrong = 0;
  if (hel::shfl(me, 5) != 5) ++wrong;
  if (hel::shfl_down(me, 3) != (me + 3 < 32 ? me + 3 : me)) ++wrong;
  if (hel::shfl_up(me, 3) != (me >= 3 ? me - 3 : me)) ++wrong;
  if (hel::shfl_xor(me, 1) != (me ^ 1)) ++wrong;
  wide w{static_cast<long>(me), {}};
  w.b[39] = static_cast<char>(me);
  wide other = hel::shfl_xor(w, 2);
  if (other.a != static_cast<long>(me ^ 2) || other.b[39] != static_cast<char>(me ^ 2)) ++wrong;
  std::uint32_t even = hel::ballot(me % 2 == 0);
  if (even != 0x55555555u) ++wrong;
  std::uint32_t bad = hel::ballot(wrong != 0);
  co_return bad == 0 ? 1 : 0;
}
hel::task<int> run_shuffles() { co_return co_await hel::warp(shuffles); }

hel::warp_task<int> neighbours(std::array<int, 32>& shared, int rounds) {
  const unsigned me = hel::lane();
  for (int i = 0; i < rounds; ++i) {
    hel::warp_sync();
    int right = shared[(me + 1) % 32];
    hel::warp_sync();
    shared[me] = right;
  }
  hel::warp_sync();
  co_return shared[0];
}
hel::task<int> run_neighbours(int rounds) {
  std::array<int, 32> shared{};
  for (int i = 0; i < 32; ++i) shared[static_cast<std::size_t>(i)] = i;
  int r = co_await hel::warp(neighbours, std::ref(shared), rounds);
  co_return r;
}

int same(int n) { return n; }
hel::task<int> plain(int n) {
  co_await hel::yield();
  co_return n;
}
hel::warp_task<int> lane_child(int n) {
  co_await hel::yield();
  co_return n + static_cast<int>(hel::lane());
}
hel::warp_task<int> awaits(hel::channel<int>& ch) {
  int total = 0;
  for (int i = 0; i < 10; ++i) {
    total += co_await plain(i);       // once for all lanes
    total += co_await lane_child(i);  // in each lane
    auto v = co_await ch.receive();   // one value for the whole group
    total += v ? *v : 0;
    total += co_await hel::host(same, i);
    co_await hel::yield();
  }
  int least = total - 10 * static_cast<int>(hel::lane());
  std::uint32_t equal = hel::ballot(least == hel::shfl(total, 0));
  co_return equal == 0xffffffffu ? total : -1;
}
hel::task<> feed(hel::channel<int>& ch) {
  for (int i = 0; i < 10; ++i) co_await ch.send(i);
}
hel::task<int> run_awaits() {
  hel::channel<int> ch(1);
  auto feeder = hel::spawn(feed, ch);
  int r = co_await hel::warp(awaits, std::ref(ch));
  co_await feeder;
  co_return r;
}

hel::warp_task<int> two_locals(std::vector<std::string>& log) {
  logged a(log, "a");
  co_await hel::yield();
  logged b(log, "b");
  co_await hel::yield();
  co_return static_cast<int>(hel::lane());
}
hel::task<int> run_locals(std::vector<std::string>& log) { co_return co_await hel::warp(two_locals, std::ref(log)); }

hel::task<int> many_warps(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += co_await hel::warp(sum_lanes);
    sum += co_await hel::warp(lane_child, i);
  }
  co_return sum;
}
hel::task<int> warps_at_once(int n) {
  std::vector<hel::task<int>> all;
  for (int i = 0; i < n; ++i) all.push_back(many_warps(i));
  auto r = co_await hel::when_all(std::move(all));
  int sum = 0;
  for (int x : r) sum += x;
  co_return sum;
}

hel::warp_task<int> fails_in_lane(unsigned lane) {
  if (hel::lane() >= lane) co_await hel::fail(100 + static_cast<int>(hel::lane()));
  co_return 1;
}
hel::warp_task<int> fails_below(unsigned lane) {
  int n = co_await fails_in_lane(lane);
  co_return n;
}
hel::warp_task<int> expects_below(unsigned lane) {
  auto r = co_await hel::as_expected(fails_in_lane(lane));
  std::uint32_t failed = hel::ballot(!r);
  co_return static_cast<int>(failed >> 24);
}
hel::task<int> run_fails(bool below) {
  if (below) {
    auto r = co_await hel::as_expected(hel::warp(fails_below, 7u));
    co_return r ? 0 : r.error().code;
  }
  auto r = co_await hel::as_expected(hel::warp(fails_in_lane, 9u));
  co_return r ? 0 : r.error().code;
}
hel::task<int> run_expects_below() { co_return co_await hel::warp(expects_below, 30u); }
hel::warp_task<int> throws_in_lane(unsigned lane) {
  if (hel::lane() == lane) throw std::runtime_error("lane " + std::to_string(lane));
  co_return 1;
}
hel::task<int> run_throws() { co_return co_await hel::warp(throws_in_lane, 4u); }
hel::task<int> fails_plain() {
  co_await hel::yield();
  co_await hel::fail(55);
  co_return 1;
}
hel::warp_task<int> awaits_failing() {
  int n = co_await fails_plain();
  co_return n;
}
hel::task<int> run_awaits_failing() {
  auto r = co_await hel::as_expected(hel::warp(awaits_failing));
  co_return r ? 0 : r.error().code;
}

enum class split { barrier, operation, suspension, place, end };
hel::warp_task<int> diverges(split how, std::vector<std::string>& log) {
  logged local(log, "lane");
  const bool low = hel::lane() < 16;
  if (how == split::barrier && low) hel::warp_sync();
  if (how == split::operation) {
    if (low)
      hel::ballot(true);
    else
      hel::warp_sync();
  }
  if (how == split::suspension && low) co_await hel::yield();
  if (how == split::place) {
    if (low)
      co_await hel::yield();
    else
      co_await hel::yield();
  }
  if (how == split::end && low) co_await lane_child(1);
  co_return 1;
}
hel::task<int> run_diverges(split how, std::vector<std::string>& log) {
  auto r = co_await hel::as_expected(hel::warp(diverges, how, std::ref(log)));
  co_return r ? 0 : r.error().code;
}

}  // namespace

TEST_CASE("shuffles, ballots and barriers") {
  on_all_executors([](int r) { CHECK(r == 496); }, run_sum);
  on_all_executors([](int r) { CHECK(r == 1); }, run_shuffles);
  on_all_executors([](int r) { CHECK(r == 5); }, run_neighbours, 37);
}

TEST_CASE("the group suspends as one, and its lanes get the same result") {
  on_all_executors([](int r) { CHECK(r == 180); }, run_awaits);
}

TEST_CASE("each lane destroys its locals once") {
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    CHECK(rt.launch(run_locals, log).get() == 0);
    CHECK(log.size() == 64);
  }
}

TEST_CASE("many groups, one after the other and at once") {
  on_all_executors([](int r) { CHECK(r == 100 * 496 + 4950); }, many_warps, 100);
  on_all_executors([](int r) { CHECK(r == 190 * 496 + 1140); }, warps_at_once, 20);
}

TEST_CASE("lanes that fail or throw") {
  on_all_executors([](int r) { CHECK(r == 109); }, run_fails, false);
  on_all_executors([](int r) { CHECK(r == 107); }, run_fails, true);
  on_all_executors([](int r) { CHECK(r == 0xc0); }, run_expects_below);
  on_all_executors([](int r) { CHECK(r == 55); }, run_awaits_failing);
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    CHECK_THROWS_WITH(rt.launch(run_throws).get(), "lane 4");
  }
}

TEST_CASE("lanes that part ways are reported, and the group fails") {
  for (split how : {split::barrier, split::operation, split::suspension, split::place, split::end}) {
    CAPTURE(static_cast<int>(how));
    for (const hel::cpu& settings : all_executors()) {
      std::vector<std::string> log;
      captured_stderr reports;
      hel::runtime rt(settings);
      CHECK(rt.launch(run_diverges, how, log).get() == static_cast<int>(hel::errc::divergent_suspension));
      CHECK(log.size() == 32);
    }
  }
}

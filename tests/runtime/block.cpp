// Group tasks of a block: barriers, what the lanes share, warps within, suspensions of the whole block.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <numeric>

#include "support.hpp"

namespace {

// ---- who is who

struct numbers {
  unsigned rank, lane, warp, size;
};
hel::block_task<> who(std::vector<numbers>& out) {
  out[hel::thread_rank()] = {hel::thread_rank(), hel::lane(), hel::warp_rank(), hel::block_size()};
  co_return;
}
hel::task<int> run_who(unsigned n) {
  std::vector<numbers> seen(n);
  co_await hel::block(n, who, std::ref(seen));
  int wrong = 0;
  for (unsigned i = 0; i < n; ++i)
    wrong += seen[i].rank != i || seen[i].lane != i % 32 || seen[i].warp != i / 32 || seen[i].size != n;
  co_return wrong;
}
hel::task<int> run_size(unsigned n) {
  std::vector<numbers> seen(1);
  auto r = co_await hel::as_expected(hel::block(n, who, std::ref(seen)));
  co_return r ? 0 : r.error().code;
}
hel::task<> run_size_unexpected(unsigned n) {
  std::vector<numbers> seen(1);
  co_await hel::block(n, who, std::ref(seen));
}

// ---- barriers and shared memory

hel::block_task<long> sum(const std::vector<int>& data) {
  hel::shared<long[32]> partial;
  long v = 0;
  for (unsigned i = hel::thread_rank(); i < data.size(); i += hel::block_size()) v += data[i];
  // The last warp may have fewer lanes: a lane whose source is missing keeps its own, which must not be added.
  const unsigned lanes = std::min(32u, hel::block_size() - hel::warp_rank() * 32);
  for (unsigned d = 16; d > 0; d /= 2) {
    const long other = hel::shfl_down(v, d);
    if (hel::lane() + d < lanes) v += other;
  }
  if (hel::lane() == 0) partial[hel::warp_rank()] = v;
  hel::block_sync();
  long total = 0;
  for (unsigned w = 0; w * 32 < hel::block_size(); ++w) total += partial[w];
  co_return total;
}
hel::task<long> run_sum(unsigned n) {
  std::vector<int> data(5000);
  std::iota(data.begin(), data.end(), 0);
  co_return co_await hel::block(n, sum, std::cref(data));
}

hel::block_task<int> reductions() {
  const unsigned me = hel::thread_rank();
  int wrong = 0;
  if (hel::block_sync_count(me % 3 == 0) != (hel::block_size() + 2) / 3) ++wrong;
  if (!hel::block_sync_and(me < hel::block_size())) ++wrong;
  if (hel::block_sync_and(me != hel::block_size() - 1)) ++wrong;
  if (!hel::block_sync_or(me == hel::block_size() - 1)) ++wrong;
  if (hel::block_sync_or(false)) ++wrong;
  co_return static_cast<int>(hel::block_sync_count(wrong != 0));
}
hel::task<int> run_reductions(unsigned n) { co_return co_await hel::block(n, reductions); }

// A barrier as a loop's condition, lanes that come to it by different ways, and a suspension inside the loop.
hel::block_task<int> rounds() {
  int done = 0, passes = 0;
  do {
    ++passes;
    if (done >= static_cast<int>(hel::thread_rank() % 7)) continue;
    ++done;
  } while (hel::block_sync_or(done < static_cast<int>(hel::thread_rank() % 7)));
  while (hel::block_sync_count(passes < 20) != 0) {
    ++passes;
    co_await hel::yield();
  }
  co_return passes;
}
hel::task<int> run_rounds(unsigned n) { co_return co_await hel::block(n, rounds); }

// Each warp at its own pace.
hel::block_task<int> paces() {
  const unsigned warp = hel::warp_rank();
  const unsigned lanes = std::min(32u, hel::block_size() - warp * 32);
  unsigned wrong = 0;
  for (unsigned i = 0; i < 3 * warp + 1; ++i) {
    hel::warp_sync();
    const unsigned from = hel::shfl(hel::thread_rank(), i);
    if (from != (i % 32 < lanes ? warp * 32 + i % 32 : hel::thread_rank())) ++wrong;
  }
  const std::uint32_t all = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  if (hel::ballot(true) != all) ++wrong;
  co_return static_cast<int>(hel::block_sync_count(wrong != 0));
}
hel::task<int> run_paces(unsigned n) { co_return co_await hel::block(n, paces); }

template <class T>
T* a_shared() {
  hel::shared<T> x;
  return &x.get();
}
template <int N>
int* numbered() {
  hel::shared<int> x;
  return &*x;
}
struct alignas(64) wide {
  double values[8];
};
hel::block_task<int> shared_variables(std::vector<void*>& seen) {
  hel::shared<int> a;
  hel::shared<int> b;
  hel::shared<float[4][8]> tile;
  hel::shared<wide> w;
  void* const mine[] = {&*a,           &*b,          &tile[0][0], w->values, a_shared<int>(), a_shared<float>(),
                        numbered<1>(), numbered<2>()};
  const unsigned me = hel::thread_rank();
  int wrong = 0;
  for (unsigned i = 0; i < 8; ++i) seen[me * 8 + i] = mine[i];
  hel::block_sync();
  for (unsigned i = 0; i < 8; ++i) {
    wrong += mine[i] != seen[i];
    for (unsigned j = 0; j < i; ++j) wrong += mine[i] == mine[j];
  }
  wrong += reinterpret_cast<std::uintptr_t>(w->values) % 64 != 0;
  if (me < 32) tile[me % 4][me / 4] = static_cast<float>(me);
  static_assert(decltype(tile)::size() == 4);
  int* in_loop = nullptr;
  for (int i = 0; i < 3; ++i) {
    hel::shared<int> again;
    if (in_loop && in_loop != &*again) ++wrong;
    in_loop = &*again;
    co_await hel::yield();  // it is still there
    if (me == 0) *again = i;
    hel::block_sync();
    wrong += *again != i;
    hel::block_sync();
  }
  wrong += tile[3][7] != 31;
  co_return static_cast<int>(hel::block_sync_count(wrong != 0));
}
hel::task<int> run_shared_variables() {
  std::vector<void*> seen(64 * 8);
  co_return co_await hel::block(64, shared_variables, std::ref(seen));
}

hel::block_task<int> dynamic() {
  int* const s = hel::dynamic_shared<int>();
  if (!s) co_return -1;
  const auto n = static_cast<unsigned>(hel::dynamic_shared_bytes() / sizeof(int));
  for (unsigned i = hel::thread_rank(); i < n; i += hel::block_size()) s[i] = static_cast<int>(i);
  hel::block_sync();
  int total = 0;
  for (unsigned i = 0; i < n; ++i) total += s[i];
  const unsigned wrong = hel::block_sync_count(total != static_cast<int>(n * (n - 1) / 2));
  co_return wrong == 0 ? total : -2;
}
hel::task<int> run_dynamic(unsigned bytes) { co_return co_await hel::block({48, bytes}, dynamic); }

// ---- what lanes await

hel::warp_task<int> in_warp(int n) {
  co_await hel::yield();
  int third = hel::shfl(n + static_cast<int>(hel::lane()), 3);
  co_return third;
}
hel::block_task<int> in_block(int n) {
  hel::shared<int> value;
  if (hel::thread_rank() == 0) *value = n;
  hel::block_sync();
  const int seen = *value;
  co_await hel::yield();
  hel::block_sync();
  co_return seen + static_cast<int>(hel::thread_rank());
}
hel::block_task<int> calls(int rounds) {
  int wrong = 0;
  for (int i = 0; i < rounds; ++i) {
    wrong += co_await in_block(i) != i + static_cast<int>(hel::thread_rank());
    wrong += co_await in_warp(i) != i + 3;
  }
  co_return static_cast<int>(hel::block_sync_count(wrong != 0));
}
hel::task<int> run_calls(unsigned n) { co_return co_await hel::block(n, calls, 5); }

int same(int n) { return n; }
hel::task<int> plain(int n) {
  co_await hel::yield();
  co_return n;
}
hel::task<int&> reference(int& n) { co_return n; }
hel::warp_task<int> lowest_lane() { co_return static_cast<int>(hel::ballot(true) == 0xffffffffu); }
hel::block_task<int> small_block() { co_return static_cast<int>(hel::block_sync_count(true)); }
hel::block_task<int> awaits(hel::channel<int>& ch) {
  int total = 0;
  for (int i = 0; i < 10; ++i) {
    total += co_await plain(i);
    auto v = co_await ch.receive();
    total += v ? *v : 0;
    total += co_await hel::host(same, i);
    int local = 5;
    int which = co_await reference(local);
    total += which;  // each lane has its copy of the value
    hel::join_handle<int> h;
    if (hel::thread_rank() == 0) h = hel::spawn(plain, 7);
    total += co_await h;                       // lane 0's
    total += co_await hel::warp(lowest_lane);  // one warp for the whole block
    total += co_await hel::block(70, small_block);
    auto [a, b] = co_await hel::when_all(plain(1), plain(2));
    total += a + b;
    auto e = co_await hel::as_expected(plain(1));
    total += *e;
    co_await hel::sleep_for(std::chrono::microseconds(1));
  }
  const bool equal = hel::block_sync_and(total == hel::shfl(total, 0));
  co_return equal ? total : -1;
}
hel::task<> feed(hel::channel<int>& ch) {
  for (int i = 0; i < 10; ++i) co_await ch.send(i);
}
hel::task<int> run_awaits() {
  hel::channel<int> ch(1);
  auto feeder = hel::spawn(feed, ch);
  int r = co_await hel::block(100, awaits, std::ref(ch));
  co_await feeder;
  co_return r;
}

// Lanes that spawn tasks of their own.
hel::task<> add(std::atomic<int>& n) {
  ++n;
  co_return;
}
hel::block_task<> spawners(std::atomic<int>& n) {
  for (int i = 0; i < 4; ++i) hel::spawn(add, n).detach();
  hel::block_sync();
  hel::spawn(add, n).detach();
  co_await hel::yield();
  hel::spawn(add, n).detach();
}
hel::task<> run_spawners(std::atomic<int>& n) { co_await hel::block(64, spawners, std::ref(n)); }

hel::block_task<> two_locals(std::vector<std::string>& log) {
  logged a(log, "a");
  co_await hel::yield();
  hel::block_sync();
  logged b(log, "b");
  co_await hel::yield();
}
hel::task<> run_locals(std::vector<std::string>& log) { co_await hel::block(96, two_locals, std::ref(log)); }

// ---- many of them

hel::task<long> many(unsigned n, int rounds) {
  long total = 0;
  for (int i = 0; i < rounds; ++i) {
    total += co_await run_sum(n);
    total += co_await run_calls(n);
  }
  co_return total;
}
hel::task<long> at_once() {
  std::vector<hel::join_handle<long>> all;
  for (unsigned n = 4; n < 200; n += 37) all.push_back(hel::spawn(many, n, 3));
  long total = 0;
  for (auto& h : all) total += co_await h;
  co_return total;
}

}  // namespace

TEST_CASE("the lanes of a block are numbered") {
  for (unsigned n : {1u, 31u, 32u, 33u, 100u, 1024u}) {
    CAPTURE(n);
    on_all_executors([](int wrong) { CHECK(wrong == 0); }, run_who, n);
  }
}

TEST_CASE("a block has 1 to 1024 lanes") {
  for (unsigned n : {0u, 1025u, ~0u}) {
    CAPTURE(n);
    on_all_executors([](int r) { CHECK(r == static_cast<int>(hel::errc::bad_group_size)); }, run_size, n);
    hel::runtime rt;
    auto r = rt.launch(run_size_unexpected, n).get_expected();
    CHECK(!r);
    CHECK(r.error() == hel::errc::bad_group_size);
  }
}

TEST_CASE("barriers, reductions and shared memory") {
  for (unsigned n : {1u, 7u, 32u, 63u, 256u, 1000u}) {
    CAPTURE(n);
    on_all_executors([](long r) { CHECK(r == 5000L * 4999 / 2); }, run_sum, n);
    on_all_executors([](int wrong) { CHECK(wrong == 0); }, run_reductions, n);
    on_all_executors([](int wrong) { CHECK(wrong == 0); }, run_paces, n);
  }
  on_all_executors([](int passes) { CHECK(passes == 20); }, run_rounds, 70u);
}

TEST_CASE("shared variables: one for a group, a declaration and a type") {
  on_all_executors([](int wrong) { CHECK(wrong == 0); }, run_shared_variables);
}

TEST_CASE("dynamic shared memory") {
  on_all_executors([](int r) { CHECK(r == 999 * 1000 / 2); }, run_dynamic, 4000u);
  on_all_executors([](int r) { CHECK(r == -1); }, run_dynamic, 0u);
}

TEST_CASE("lanes call block tasks and warp tasks") {
  for (unsigned n : {4u, 40u, 128u}) {
    CAPTURE(n);
    on_all_executors([](int wrong) { CHECK(wrong == 0); }, run_calls, n);
  }
}

TEST_CASE("the block suspends as one, and its lanes get the same result") {
  on_all_executors([](int r) { CHECK(r == 3 * 45 + 10 * (5 + 7 + 1 + 70 + 3 + 1)); }, run_awaits);
}

TEST_CASE("lanes spawn tasks") {
  for (const hel::cpu& settings : all_executors()) {
    std::atomic<int> n = 0;
    {
      hel::runtime rt(settings);
      rt.launch(run_spawners, n).get();
    }
    CHECK(n == 64 * 6);
  }
}

TEST_CASE("each lane of a block destroys its locals once") {
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    rt.launch(run_locals, log).get();
    CHECK(log.size() == 2 * 96);
  }
}

TEST_CASE("many blocks, one after the other and at once") {
  on_all_executors([](long r) { CHECK(r == 6 * 3 * (5000L * 4999 / 2)); }, at_once);
}

// Warp tasks: prints what each of them has come to. The same on the simulated device and on the CPU.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "hel/hel.hpp"

namespace {
struct halves {
  int operator()(int n) const { return n / 2; }
};
struct fails {
  void operator()(int code) const { throw hel::failure(hel::error(code)); }
};
// Counts its lanes in and out.
struct counted {
  int* count;
  HEL_HD explicit counted(int* c) : count(c) { add(1); }
  HEL_HD counted(const counted& o) : count(o.count) { add(1); }
  HEL_HD ~counted() { add(-1); }
  HEL_HD void add(int n) {
#if defined(__CUDA_ARCH__)
    atomicAdd(count, n);
#else
    __atomic_fetch_add(count, n, __ATOMIC_RELAXED);
#endif
  }
};
}  // namespace
HEL_HOST_FUNCTION(::halves);
HEL_HOST_FUNCTION(::fails);

HEL_TASK hel::task<int> plus_one(int n) {
  co_await hel::yield();
  co_return n + 1;
}
HEL_TASK hel::task<int> failing(int code) {
  co_await hel::yield();
  co_await hel::fail(code);
  co_return 0;
}

HEL_HD unsigned sum_of(unsigned n) {
  for (unsigned distance = 16; distance > 0; distance /= 2) n += hel::shfl_xor(n, distance);
  return n;
}

// Each lane calls a task of its own, some of them deeper than others.
HEL_TASK hel::warp_task<unsigned> factorial(unsigned n) {
  if (n == 0) co_return 1;
  unsigned below = co_await factorial(n - 1);
  co_return n* below;
}
HEL_TASK hel::warp_task<unsigned> calls() {
  unsigned mine = co_await factorial(hel::lane() % 7);
  co_await hel::yield();
  co_return sum_of(mine);
}

// All that a group can wait for.
HEL_TASK hel::warp_task<int> waits(int n, hel::channel<int>* c) {
  const int lane = static_cast<int>(hel::lane());
  int a = co_await plus_one(n);  // once, for all lanes
  auto h = hel::lane() == 0 ? hel::spawn(plus_one, a) : hel::join_handle<int>();
  int b = co_await h;
  co_await hel::yield();
  bool sent = co_await c->send(b);
  auto got = co_await c->receive();
  int d = co_await hel::host(halves{}, *got * 4);
  auto [e, f] = co_await hel::when_all(plus_one(d), plus_one(d + 1));
  co_return static_cast<int>(sum_of(static_cast<unsigned>(a + b + *got + d + e + f + lane))) + sent;
}

// A group that waits for another one.
HEL_TASK hel::warp_task<unsigned> inner(unsigned n) {
  co_await hel::yield();
  co_return sum_of(n + hel::lane());
}
HEL_TASK hel::warp_task<unsigned> outer(unsigned n) {
  unsigned a = co_await hel::warp(inner, n);
  unsigned b = co_await hel::warp(inner, n + 1);
  co_return hel::ballot(a + hel::lane() < b);
}

HEL_TASK hel::warp_task<> awaits_failing(int code, int* alive) {
  counted c(alive);
  co_await failing(code);
}
HEL_TASK hel::warp_task<int> catches(int code) {
  auto r = co_await hel::as_expected(failing(code));
  auto s = co_await hel::as_expected(hel::host(fails{}, code + 1));
  co_return r || s ? 0 : r.error().code * 1000 + s.error().code;
}
HEL_TASK hel::warp_task<> host_fails(int code, int* alive) {
  counted c(alive);
  co_await hel::host(fails{}, code);
}
// Of some lanes only; the others wait for them.
HEL_TASK hel::warp_task<> one_fails(int code, int* alive) {
  counted c(alive);
  if (hel::lane() == 5) co_await hel::fail(code);
  if (hel::lane() == 9) co_await hel::fail(code + 1);
  co_await hel::yield();
}
HEL_TASK hel::warp_task<> some_end(int* alive) {
  counted c(alive);
  if (hel::lane() % 2 == 0) co_return;
  co_await hel::yield();
}
HEL_TASK hel::warp_task<> two_places(int* alive) {
  counted c(alive);
  if (hel::lane() < 16)
    co_await hel::yield();
  else
    co_await plus_one(1);
}
HEL_TASK hel::warp_task<> nothing() { co_return; }

HEL_TASK hel::task<unsigned> run_calls() { co_return co_await hel::warp(calls); }
HEL_TASK hel::task<int> run_waits(int n) {
  hel::channel<int> c(4);
  co_return co_await hel::warp(waits, n, &c);
}
HEL_TASK hel::task<unsigned> run_outer(unsigned n) { co_return co_await hel::warp(outer, n); }
HEL_TASK hel::task<int> run_catches(int code) { co_return co_await hel::warp(catches, code); }
HEL_TASK hel::task<int> run_failing(int what, int* alive) {
  int code = 0;
  if (what == 0) {
    auto r = co_await hel::as_expected(hel::warp(awaits_failing, 21, alive));
    code = r ? 0 : r.error().code;
  } else if (what == 1) {
    auto r = co_await hel::as_expected(hel::warp(host_fails, 22, alive));
    code = r ? 0 : r.error().code;
  } else if (what == 2) {
    auto r = co_await hel::as_expected(hel::warp(one_fails, 23, alive));
    code = r ? 0 : r.error().code;
  } else if (what == 3) {
    auto r = co_await hel::as_expected(hel::warp(some_end, alive));
    code = r ? 0 : r.error().code;
  } else if (what == 4) {
    auto r = co_await hel::as_expected(hel::warp(two_places, alive));
    code = r ? 0 : r.error().code;
  } else {
    auto r = co_await hel::as_expected(hel::warp(nothing));
    code = r ? 1 : 0;
  }
  co_await hel::yield();
  co_return code;
}
HEL_TASK hel::task<> fails_in_turn(int* alive) { co_await hel::warp(one_fails, 31, alive); }

// Many groups at once, among tasks of single threads.
HEL_TASK hel::task<long> tree(int depth) {
  if (depth == 0) {
    unsigned a = co_await hel::warp(inner, 1u);
    int b = co_await plus_one(1);
    co_return static_cast<long>(a) + b;
  }
  auto left = hel::spawn(tree, depth - 1);
  long r = co_await tree(depth - 1);
  long l = co_await left;
  co_return l + r;
}

// Half of the lanes are over, or wait for something; the others vote, which nobody may answer but a lane that votes.
HEL_TASK hel::warp_task<unsigned> votes_alone(bool waits) {
  if (hel::lane() % 2 == 0) {
    if (waits) co_await hel::yield();
    co_return 0;
  }
  co_return hel::ballot(true);
}
HEL_TASK hel::task<unsigned> run_votes(bool waits) { co_return co_await hel::warp(votes_alone, waits); }

int main(int argc, char** argv) {
  if (argc > 1) {
    try {
      hel::runtime rt(
          hel::cuda{.threads_per_block = 64, .frame_memory = 4u << 20, .watchdog = std::chrono::milliseconds(900)});
      std::printf("%x\n", rt.launch(run_votes, argv[1][0] == 'w').get());
    } catch (const hel::device_error& e) {
      std::fprintf(stderr, "%s\n", e.what());
      std::_Exit(25);  // the kernel does not end
    }
    return 0;
  }
  hel::runtime rt;
  std::printf("calls %u\n", rt.launch(run_calls).get());
  std::printf("waits %d\n", rt.launch(run_waits, 3).get());
  std::printf("outer %x\n", rt.launch(run_outer, 100u).get());
  std::printf("catches %d\n", rt.launch(run_catches, 12).get());
  static int alive = 0;
  for (int what = 0; what < 6; ++what) {
    const int code = rt.launch(run_failing, what, &alive).get();
    std::printf("failing %d: %d\n", what, code);
  }
  auto r = rt.launch(fails_in_turn, &alive).get_expected();
  std::printf("in turn %d\n", r ? 0 : r.error().code);
  std::printf("tree %ld\n", rt.launch(tree, 7).get());
  rt.drain();
  std::printf("alive %d\n", alive);
}

// Frame memory that is used up: `exhausted WHAT` prints what has come of it. Whoever finds no memory fails with an
// error, and all of it comes back.
#include <chrono>
#include <cstdio>
#include <string>

#include "hel/hel.hpp"

using namespace std::chrono_literals;

constexpr int out_of_frames = static_cast<int>(hel::errc::out_of_frames);
struct counts {
  int good, refused, all;
};

HEL_TASK hel::task<long> tree(int depth) {
  if (depth == 0) co_return 1;
  auto left = hel::spawn(tree, depth - 1);
  long r = co_await tree(depth - 1);
  long l = co_await left;
  co_return l + r;
}

// Counts where it ends, as a destructor.
struct counted {
  int* n;
  HEL_HD explicit counted(int* c) : n(c) {}
  counted(const counted&) = delete;
  HEL_HD ~counted() { ++*n; }
};
HEL_TASK hel::task<int> deep(int n, int* destroyed) {
  counted c(destroyed);
  if (n == 0) co_return 0;
  co_return co_await deep(n - 1, destroyed) + 1;
}
HEL_TASK hel::task<int> too_deep() {
  int destroyed = 0;
  auto r = co_await hel::as_expected(deep(1000000, &destroyed));
  if (r || r.error().code != out_of_frames) co_return -1;
  while (destroyed < 1000) co_await hel::yield();  // tasks that fail are destroyed behind them
  co_return 1;
}

HEL_TASK hel::task<int> receives(hel::channel<int>& c) {
  auto v = co_await c.receive();
  co_return v ? *v : 7;
}
HEL_TASK hel::task<counts> joins_all(hel::channel<int>& c, int left) {
  counts n{};
  if (left == 0) {
    c.close();
    co_return n;
  }
  auto h = hel::spawn(receives, c);
  auto below = co_await hel::as_expected(joins_all(c, left - 1));
  if (below)
    n = *below;
  else
    c.close();
  auto r = co_await hel::as_expected(h);
  if (r ? *r == 7 : r.error().code == out_of_frames) ++(r ? n.good : n.refused);
  ++n.all;
  co_return n;
}
// Each that waits keeps its frame, so that there is none left for others.
HEL_TASK hel::task<counts> many_waiting(int n) {
  hel::channel<int> c(1);
  co_return co_await joins_all(c, n);
}

HEL_TASK hel::task<void> one() { co_return; }
// Uses the memory up, then tries `what` there.
HEL_TASK hel::task<int> at_the_end(int what, int depth) {
  auto more = co_await hel::as_expected(at_the_end(what, depth + 1));
  if (more) co_return *more;
  // Here, at the deepest, or where what failed below has failed above, too.
  if (more.error().code != out_of_frames) co_return more.error().code;
  if (what == 0) {
    auto h = hel::spawn(one);
    auto r = co_await hel::as_expected(h);
    co_return r ? 1 : r.error().code;
  }
  if (what == 1) {
    auto h = hel::spawn(one);
    co_await h;  // fails
    co_return 2;
  }
  if (what == 2) {
    co_await hel::when_all(one(), one());  // fails
    co_return 3;
  }
  if (what == 3) {
    auto a = hel::spawn(one);
    auto b = hel::spawn_after(a, one);
    auto r = co_await hel::as_expected(b);
    co_return r ? 4 : r.error().code;
  }
  hel::spawn(one).detach();  // nobody hears of it
  co_return 5;
}
HEL_TASK hel::task<int> detached(int n) {
  int refused = 0;
  for (int i = 0; i < n; ++i) {
    auto h = hel::spawn(one);
    if (!h.done()) continue;  // detached
    auto r = co_await hel::as_expected(h);
    refused += !r;
  }
  co_return refused;
}

namespace {

void again(hel::runtime& rt) { std::printf(" %ld", rt.launch(tree, 7).get()); }

template <class F, class... Args>
int code_of(hel::runtime& rt, F f, Args... args) {
  auto r = rt.launch(f, args...).get_expected();
  return r ? *r : r.error().code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  hel::runtime rt{hel::cuda{.threads_per_block = 64, .frame_memory = 1u << 20, .watchdog = 20000ms}};
  if (what == "calls") {
    for (int i = 0; i < 2; ++i) {
      std::printf("%d\n", code_of(rt, too_deep));
    }
  } else if (what == "waiting") {
    for (int i = 0; i < 2; ++i) {
      const counts n = rt.launch(many_waiting, 1000000).get();
      std::printf("%d %d", n.good > 500, n.good + n.refused == n.all);
      std::printf("\n");
    }
  } else if (what == "kinds") {
    for (int round = 0; round < 2; ++round)
      for (int i = 0; i < 5; ++i) std::printf("%d ", code_of(rt, at_the_end, i, 0));
    std::printf("\n");
  } else if (what == "launch") {
    try {
      std::printf("%d\n", rt.launch(at_the_end, 1, 0).get());
    } catch (const hel::failure& e) {
      std::printf("failure %d: %s\n", static_cast<int>(e.error().code), e.what());
    }
  } else if (what == "detached") {
    std::printf("%d", rt.launch(detached, 20000).get() < 20000);
    rt.drain();
    again(rt);
    std::printf("\n");
  } else {
    return 2;
  }
}

// hel::buffer: views of tasks and of the host, copies in all directions, sizes that do not fit.
#include <csignal>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

#include "support.hpp"

namespace {

using view = hel::buffer_view<int>;
constexpr std::size_t large = 1u << 20;  // copied by a host thread

hel::task<> scale(view v, int factor) {
  for (int& x : v) x *= factor;
  co_return;
}
hel::task<long> sum(hel::buffer_view<const int> v) {
  long s = 0;
  for (std::size_t i = 0; i < v.size(); ++i) s += v[i];
  co_return s;
}
hel::task<long> there_and_back(view v, view other, const int* from, int* to) {
  std::size_t n = v.size();
  co_await hel::copy(v, hel::on_host(from, n));
  co_await hel::copy(other, v);
  co_await scale(other, 2);
  co_await hel::copy(hel::on_host(to, n), other);
  co_await hel::copy(v.part(0, 0), v.part(n, 0));
  co_return co_await sum(v);
}
hel::task<int> code_of_wrong_size(view v) {
  auto r = co_await hel::as_expected(hel::copy(v.part(0, 3), v.part(4, 2)));
  auto fits = co_await hel::as_expected(hel::copy(v.part(0, 3), v.part(4, 3)));
  co_return r || !fits ? 0 : r.error().code;
}
hel::task<> wrong_size(std::vector<std::string>& log, view v, const int* from) {
  logged local(log, "local");
  co_await hel::copy(v, hel::on_host(from, v.size() + 1));
  log.push_back("not reached");
}
hel::task<> copies(view to, view from) { co_await hel::copy(to, from); }
hel::task<int> cancelled_copy(view to, view from) {
  hel::cancel_source source;
  auto h = hel::spawn(source.token(), copies, to, from);
  co_await hel::yield();
  source.cancel();
  auto r = co_await hel::as_expected(h);
  co_return r ? 0 : r.error().code;
}

// Whether f ends the process with SIGABRT.
template <class F>
bool aborts(F f) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    (void)!freopen("/dev/null", "w", stderr);
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

}  // namespace

TEST_CASE("a buffer is zeroed, written by the host, worked on by tasks and read by the host") {
  for (const hel::cpu& settings : all_executors()) {
    hel::runtime rt(settings);
    hel::buffer<int> b = rt.make_buffer<int>(1000);
    CHECK(b.size() == 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(b.view().data()) % 64 == 0);
    CHECK(rt.launch(sum, b.view()).get() == 0);
    {
      auto h = b.host_view();
      std::iota(h.begin(), h.end(), 1);
    }
    rt.launch(scale, b.view(), 2).get();
    CHECK(rt.launch(sum, b.view()).get() == 1001000);
    rt.launch(scale, b.view().part(10, 2), 100).get();
    const hel::buffer<int>& seen = b;
    auto h = seen.host_view(hel::read_only);
    CHECK(h.size() == 1000);
    CHECK(h[9] == 20);
    CHECK(h[10] == 2200);
    CHECK(h[12] == 26);
    CHECK(seen.host_view(hel::read_only, 999, 1)[0] == 2000);
    hel::buffer<int> moved = std::move(b);
    CHECK(moved.size() == 1000);
    b = std::move(moved);
    CHECK(b.size() == 1000);
    hel::buffer<double> none = rt.make_buffer<double>(0);
    CHECK(none.view().empty());
  }
}

TEST_CASE("copies between buffers, from the host and to it") {
  for (const hel::cpu& settings : all_executors()) {
    for (std::size_t n : {std::size_t{7}, large}) {
      hel::runtime rt(settings);
      hel::buffer<int> a = rt.make_buffer<int>(n), b = rt.make_buffer<int>(n);
      std::vector<int> from(n, 3), to(n);
      from[n - 1] = 4;
      CHECK(rt.launch(there_and_back, a.view(), b.view(), from.data(), to.data()).get() ==
            3 * static_cast<long>(n) + 1);
      CHECK(to[0] == 6);
      CHECK(to[n - 1] == 8);
    }
  }
}

TEST_CASE("a copy of the wrong size fails and copies nothing") {
  for (const hel::cpu& settings : all_executors()) {
    std::vector<std::string> log;
    hel::runtime rt(settings);
    hel::buffer<int> b = rt.make_buffer<int>(8);
    const std::vector<int> from(9, 1);
    CHECK(rt.launch(code_of_wrong_size, b.view()).get() == static_cast<int>(hel::errc::out_of_range));
    CHECK(rt.launch(wrong_size, log, b.view(), from.data()).get_expected().error() == hel::errc::out_of_range);
    CHECK(log == std::vector<std::string>{"local"});
    CHECK(rt.launch(sum, b.view()).get() == 0);
  }
}

TEST_CASE("a cancelled copy is waited for") {
  hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads});
  for (int i = 0; i < 20; ++i) {
    hel::buffer<int> a = rt.make_buffer<int>(large), b = rt.make_buffer<int>(large);
    const int code = rt.launch(cancelled_copy, a.view(), b.view()).get();
    CHECK((code == 0 || code == static_cast<int>(hel::errc::cancelled)));
  }  // freed here: a copy that goes on would be found by AddressSanitizer
}

#if !defined(NDEBUG)
TEST_CASE("bounds are checked") {
  std::vector<int> memory(4);
  const view v(memory.data(), memory.size());
  CHECK(!aborts([&] { v[3] = 1; }));
  CHECK(aborts([&] { v[4] = 1; }));
  CHECK(!aborts([&] { (void)v.part(4, 0); }));
  CHECK(aborts([&] { (void)v.part(3, 2); }));
  CHECK(aborts([&] { (void)v.part(5, 0); }));
}
#endif

// SIGINT: applications are cancelled, main() goes on; the second one ends the process. Each in a process of its own.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "support.hpp"

namespace {

using namespace std::chrono_literals;
constexpr int cancelled = static_cast<int>(hel::errc::cancelled);

// A child process that runs `program` and whose output the parent reads.
class child_process {
 public:
  explicit child_process(const std::function<int()>& program) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    std::fflush(nullptr);
    id_ = fork();
    if (id_ == 0) {
      alarm(60);
      std::signal(SIGINT, SIG_DFL);  // the test program has a handler
      dup2(ends[1], 1);
      close(ends[0]);
      close(ends[1]);
      int status = 99;
      try {
        status = program();
      } catch (const std::exception& e) {
        say(e.what());
      }
      _exit(status);
    }
    close(ends[1]);
    out_ = ends[0];
  }
  ~child_process() { close(out_); }

  void interrupt() const { kill(id_, SIGINT); }
  // Reads until the child has said `what`.
  bool says(const char* what) {
    char c;
    while (text_.find(what) == std::string::npos && read(out_, &c, 1) == 1) text_ += c;
    return text_.find(what) != std::string::npos;
  }
  // The status, as waitpid gives it.
  int status() {
    char c;
    while (read(out_, &c, 1) == 1) text_ += c;
    int s = -1;
    waitpid(id_, &s, 0);
    return s;
  }
  bool exits_with(int code) {
    const int s = status();
    return WIFEXITED(s) && WEXITSTATUS(s) == code;
  }
  bool dies_of_interrupt() {
    const int s = status();
    return WIFSIGNALED(s) && WTERMSIG(s) == SIGINT;
  }
  const std::string& text() const { return text_; }

  static void say(const char* text) { (void)!write(1, text, std::strlen(text)); }

 private:
  pid_t id_ = -1;
  int out_ = -1;
  std::string text_;
};
void say(const char* text) { child_process::say(text); }

struct says_at_end {
  const char* text;
  explicit says_at_end(const char* t) : text(t) {}
  says_at_end(says_at_end&& o) noexcept : text(o.text) { o.text = nullptr; }
  ~says_at_end() {
    if (text) say(text);
  }
};

hel::task<> waits_below(hel::event& e) {
  says_at_end local("local ");
  co_await e.wait();
  say("not reached ");
}
hel::task<int> serves(hel::event& e, says_at_end argument) {
  auto other = hel::spawn(waits_below, e);
  auto later = hel::spawn_after(other, waits_below, e);
  say("ready ");
  for (;;) co_await hel::sleep_for(1h);
  (void)argument;
  co_return 1;
}
hel::task<int> spins(std::atomic<bool>& go) {
  say("ready ");
  while (!go) std::this_thread::yield();
  co_return 3;
}
hel::task<int> number(int n) { co_return n; }
hel::task<int> waits(hel::event& e) {
  co_await e.wait();
  co_return 2;
}

struct request {
  int n;
};
struct stopping_service {
  hel::task<int> handle(request r) { co_return r.n; }
  hel::task<> stop() {
    co_await hel::yield();
    say("stopped ");
  }
};
hel::task<int> calls(hel::service<stopping_service> s) { co_return co_await s.call(request{4}); }

// The ways to wait for what is interrupted.
std::vector<hel::cpu> interruptible() {
  std::vector<hel::cpu> all = all_and_divided();
  for (hel::cpu& s : all) s.handle_sigint = true;
  return all;
}

std::atomic<int> handled = 0;

}  // namespace

TEST_CASE("SIGINT cancels what can be cancelled; main goes on, and everything is destroyed") {
  for (const hel::cpu& settings : interruptible()) {
    child_process child([&settings] {
      hel::event never;
      hel::runtime rt(settings);
      auto s = rt.start_service<stopping_service>();
      rt.launch(calls, s).get();
      auto app = rt.launch(hel::cancellable, serves, never, says_at_end("argument "));
      const auto r = app.get_expected();
      if (r || r.error().code != cancelled || !rt.interrupted()) return 1;
      for (int i = 0; i < 2; ++i) {
        try {
          auto more = i == 0 ? rt.launch(number, 1) : rt.launch(hel::cancellable, number, 1);
          return 2;
        } catch (const hel::failure& f) {
          if (f.error().code != cancelled) return 3;
        }
      }
      rt.stop();
      say("end");
      return 7;
    });
    REQUIRE(child.says("ready "));
    child.interrupt();
    CHECK(child.exits_with(7));
    CAPTURE(child.text());
    CHECK(child.text().find("local ") != std::string::npos);
    CHECK(child.text().find("argument ") != std::string::npos);
    CHECK(child.text().find("not reached") == std::string::npos);
    CHECK(child.text().find("stopped end") != std::string::npos);
  }
}

TEST_CASE("the second SIGINT ends the process, also where a task is stuck in a loop") {
  child_process child([] {
    std::atomic<bool> never = false;
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .handle_sigint = true});
    auto app = rt.launch(hel::cancellable, spins, never);
    while (!rt.interrupted()) std::this_thread::sleep_for(1ms);
    say("interrupted ");
    return app.get();
  });
  REQUIRE(child.says("ready "));
  child.interrupt();
  REQUIRE(child.says("interrupted "));
  child.interrupt();
  CHECK(child.dies_of_interrupt());
}

TEST_CASE("what is not cancellable is waited for; the process may end as by SIGINT") {
  child_process child([] {
    std::atomic<bool> go = false;
    hel::runtime rt(hel::cpu{.threads = 2, .executor = hel::executor::threads, .handle_sigint = true});
    auto app = rt.launch(spins, go);
    while (!rt.interrupted()) std::this_thread::sleep_for(1ms);
    go = true;
    if (app.get() != 3) return 1;
    rt.stop();
    std::printf("printed");
    hel::end_as_interrupted();
  });
  REQUIRE(child.says("ready "));
  child.interrupt();
  CHECK(child.dies_of_interrupt());
  CHECK(child.text().find("printed") != std::string::npos);
}

TEST_CASE("two runtimes are interrupted; afterwards SIGINT is as before") {
  child_process child([] {
    std::signal(SIGINT, [](int) { ++handled; });
    hel::event never;
    const hel::cpu settings{.threads = 1, .executor = hel::executor::threads, .handle_sigint = true};
    for (int i = 0; i < 3; ++i) {
      hel::runtime plain(hel::cpu{.threads = 1, .executor = hel::executor::threads});
      hel::runtime one(settings);
      hel::runtime two(settings);
      auto a = one.launch(hel::cancellable, waits, never), b = two.launch(hel::cancellable, waits, never);
      kill(getpid(), SIGINT);
      if (a.get_expected() || b.get_expected()) return 1;
      if (handled != 0 || plain.interrupted() || !one.interrupted() || !two.interrupted()) return 2;
    }
    raise(SIGINT);
    for (int i = 0; i < 1000 && handled == 0; ++i) std::this_thread::sleep_for(1ms);
    if (handled != 1) return 3;
    std::signal(SIGINT, SIG_IGN);
    {
      hel::runtime rt(settings);
      raise(SIGINT);
      raise(SIGINT);
      std::this_thread::sleep_for(5ms);
      if (rt.interrupted() || rt.launch(number, 5).get() != 5) return 4;
    }
    return std::signal(SIGINT, SIG_DFL) == SIG_IGN ? 5 : 6;
  });
  CHECK(WEXITSTATUS(child.status()) == 5);
}

TEST_CASE("without being asked, a runtime leaves SIGINT alone") {
  child_process child([] {
    hel::event never;
    hel::runtime rt;
    auto app = rt.launch(hel::cancellable, waits, never);
    say("ready ");
    return app.get();
  });
  REQUIRE(child.says("ready "));
  child.interrupt();
  CHECK(child.dies_of_interrupt());
}

TEST_CASE("a program interrupts a runtime itself") {
  for (const hel::cpu& settings : all_and_divided()) {
    hel::event e;
    hel::runtime rt(settings);
    auto can = rt.launch(hel::cancellable, waits, e), other = rt.launch(hel::cancellable, waits, e);
    auto cannot = rt.launch(waits, e);
    cannot.wait_for(1ms);
    std::thread([&rt] { rt.interrupt(); }).join();
    rt.interrupt();
    CHECK(rt.interrupted());
    CHECK(can.get_expected().error().code == cancelled);
    CHECK(other.get_expected().error().code == cancelled);
    CHECK(!cannot.wait_for(1ms));
    e.set();
    CHECK(cannot.get() == 2);
    CHECK_THROWS_AS((void)rt.launch(number, 1), hel::failure);
    CHECK_THROWS_AS(rt.start_service<stopping_service>(), hel::failure);
    rt.stop();
    CHECK_THROWS_AS((void)rt.launch(number, 1), std::logic_error);
  }
}

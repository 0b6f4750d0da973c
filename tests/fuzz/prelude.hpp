// What the random programs are made of. The interpreter (interpret_*.cpp) knows what each of these prints.
#pragma once
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

inline std::string output;
inline void say(const char* what) { output += what, output += ' '; }
inline void say(const char* what, int n) { output += what, output += std::to_string(n), output += ' '; }

struct Trace {  // prints +n (made), cn (copied), mn (moved), =n (assigned), -n (destroyed); some cannot be made: !n
  static inline int alive = 0;
  int id;
  explicit Trace(int i) : id(i) {
    if (i % 16 == 13) say("!", i), throw i;
    say("+", id), ++alive;
  }
  Trace(const Trace& o) : id(o.id) { say("c", id), ++alive; }
  Trace(Trace&& o) noexcept : id(o.id) { say("m", id), ++alive; }
  Trace& operator=(const Trace& o) {
    say("=", o.id), id = o.id;
    return *this;
  }
  ~Trace() { say("-", id), --alive; }
  int plus(int n) const { return id + n; }
};
struct Error {
  int n;
};

struct Pair {
  Trace first, second;
  int n;
};
struct Both {
  Trace a, b;
  Both(const Trace& x, const Trace& y) : a(x), b(y) {}
  int n() const { return a.id + b.id; }
};
struct Check {  // for condition variables
  Trace t;
  int n;
  Check(int id, int v) : t(id), n(v) {}
  explicit operator bool() const { return n != 0; }
};
struct Out {
  int n = 0;
  Out& operator<<(int v) {
    say("o", v), n += v;
    return *this;
  }
  Out& operator<<(const Trace& t) {
    say("O", t.id), n += t.id;
    return *this;
  }
};

inline int note(int n) {
  say("n", n);
  return n;
}
inline int boom(int n) {
  say("b", n);
  if (n % 4 == 3) throw Error{n};
  return n;
}
inline int use(const Trace& a, int n, const Trace& b) {
  say("u", n);
  return a.id + n + b.id;
}
inline int sum(std::initializer_list<int> list) {
  int s = 0;
  for (int i : list) s += i;
  say("s", s);
  return s;
}
inline int ids(std::initializer_list<Trace> list) {
  int s = 0;
  for (const Trace& t : list) s += t.id;
  say("i", s);
  return s;
}
inline int own(Trace* t) {
  const int id = t->id;
  say("w", id);
  delete t;
  return id;
}
inline int own_all(Trace* t, int n) {
  int s = 0;
  for (int i = 0; i < n; ++i) s += t[i].id;
  say("w", s);
  delete[] t;
  return s;
}
inline Trace make(int n) {
  say("k");
  return Trace(n);
}
inline const Trace& ref(const Trace& t) {
  say("f", t.id);
  return t;
}
inline int given(int n, const Trace& t = ref(Trace(note(7)))) {
  say("g", n);
  return n + t.id;
}
struct Given {
  Trace t;
  int i;
  explicit Given(int v, const Trace& o = Trace(9)) : t(o), i(v) {}
  int n() const { return t.id + i; }
};
inline int value_of(int n, Trace t) {
  say("v", n);
  return t.id + n;
}
inline Trace relay(Trace t) {
  say("y", t.id);
  return t;
}
inline int at(int n, int length) { return (n % length + length) % length; }

inline std::coroutine_handle<> current;  // what the next step resumes
inline void stop_at(std::coroutine_handle<> h) { say("|"), current = h; }

struct Promise;
struct Job {  // started when it is awaited; the first one by hand
  using promise_type = Promise;
  std::coroutine_handle<Promise> h;
  explicit Job(std::coroutine_handle<Promise> c) : h(c) {}
  Job(Job&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Job() {
    if (h) h.destroy();
  }
  bool await_ready() noexcept { return h.done(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) noexcept;
  int await_resume();
};
struct Yielded {
  int n;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  int await_resume() noexcept { return n; }
};
struct Promise {
  int value = 0;
  std::coroutine_handle<> continuation;
  std::exception_ptr error;
  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
      return h.promise().continuation ? h.promise().continuation : std::noop_coroutine();
    }
    void await_resume() noexcept {}
  };
  Job get_return_object() { return Job{std::coroutine_handle<Promise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { say("r", v), value = v; }
  void unhandled_exception() {
    if (continuation)
      error = std::current_exception();
    else
      say("unhandled");
  }
  Yielded yield_value(int n) {
    say("Y", n);
    return {n};
  }
  Yielded yield_value(const Trace& t) {
    say("T", t.id);
    return {t.id};
  }
};
inline std::coroutine_handle<> Job::await_suspend(std::coroutine_handle<> c) noexcept {
  h.promise().continuation = c;
  return h;
}
inline int Job::await_resume() {
  if (h.promise().error) std::rethrow_exception(std::exchange(h.promise().error, nullptr));
  return h.promise().value;
}

struct Pause {
  int n;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  int await_resume() noexcept { return n; }
};
struct Ready {
  int n;
  bool await_ready() noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) noexcept {}
  int await_resume() noexcept { return n; }
};
struct Hold {  // has a destructor
  Trace t;
  explicit Hold(int n) : t(n) {}
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  int await_resume() noexcept { return t.id; }
};
struct Decline {
  int n;
  bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<>) noexcept {
    say("d");
    return false;
  }
  int await_resume() noexcept { return n; }
};
struct Self {
  int n;
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) noexcept {
    say("h");
    return h;
  }
  int await_resume() noexcept { return n; }
};
struct Hop {
  int n;
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> h) noexcept {
    stop_at(h);
    return std::noop_coroutine();
  }
  int await_resume() noexcept { return n; }
};
template <int Where>
struct Fail {  // throws from await_ready, await_suspend or await_resume
  Trace t;
  explicit Fail(int n) : t(n) {}
  bool await_ready() {
    if (Where == 0) throw t.id;
    return false;
  }
  void await_suspend(std::coroutine_handle<> h) {
    if (Where == 1) throw Error{t.id};
    stop_at(h);
  }
  int await_resume() { throw t.id; }
};
struct On {
  const Trace& t;
  explicit On(const Trace& o) : t(o) {}
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  int await_resume() noexcept { return t.id; }
};
struct Give {
  int n;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  Trace await_resume() { return Trace(n); }
};
struct Lend {
  Trace& t;
  explicit Lend(Trace& o) : t(o) {}
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> h) noexcept { stop_at(h); }
  Trace& await_resume() noexcept { return t; }
};

struct Entry {
  int number;
  Job (*start)();
  std::initializer_list<int> stops;
};
inline void run(const Entry& e) {
  output.clear();
  Trace::alive = 0;
  for (int stop : e.stops) {
    {
      Job job = e.start();
      current = job.h;
      for (int i = 0; i != stop && !job.h.done(); ++i) current.resume();
      say("~");
    }
    say("#");
  }
  say("alive", Trace::alive);
  std::printf("%d: %s\n", e.number, output.c_str());
  std::fflush(stdout);
}
// Without arguments all programs, else those with the numbers given.
template <int N>
int run_all(const Entry (&entries)[N], int argc, char** argv) {
  for (const Entry& e : entries) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; ++i) wanted |= std::atoi(argv[i]) == e.number;
    if (wanted) run(e);
  }
  return 0;
}

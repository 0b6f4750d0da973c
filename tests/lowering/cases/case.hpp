// What the cases share: a trace on standard output, and jobs that are resumed by hand.
#pragma once
#include <coroutine>
#include <cstdio>
#include <exception>
#include <utility>

inline void say(const char* what) { std::printf("%s ", what); }
inline void say(const char* what, int n) { std::printf("%s%d ", what, n); }

struct Trace {  // prints +n (made), cn (copied), mn (moved), -n (destroyed)
  static inline int alive = 0;
  int id;
  explicit Trace(int i) : id(i) { say("+", id), ++alive; }
  Trace(const Trace& o) : id(o.id) { say("c", id), ++alive; }
  Trace(Trace&& o) noexcept : id(o.id) { say("m", id), ++alive; }
  Trace& operator=(const Trace& o) { say("=", o.id), id = o.id; return *this; }
  ~Trace() { say("-", id), --alive; }
  int plus(int n) const { return id + n; }
};

template <class Promise>
struct Stepped {
  std::coroutine_handle<Promise> h;
  explicit Stepped(std::coroutine_handle<Promise> c) : h(c) {}
  Stepped(Stepped&& o) noexcept : h(std::exchange(o.h, {})) {}
  ~Stepped() { if (h) h.destroy(); }
  bool step() { h.resume(); return !h.done(); }
  void run() { while (step()) {} }
};

struct JobPromise;
struct Job : Stepped<JobPromise> {
  using promise_type = JobPromise;
  using Stepped::Stepped;
};
struct JobPromise {
  int value = 0;
  Job get_return_object() { return Job{std::coroutine_handle<JobPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() { say("unhandled"); }
};

struct VoidJobPromise;
struct VoidJob : Stepped<VoidJobPromise> {
  using promise_type = VoidJobPromise;
  using Stepped::Stepped;
};
struct VoidJobPromise {
  VoidJob get_return_object() { return VoidJob{std::coroutine_handle<VoidJobPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }
  void return_void() {}
  void unhandled_exception() { say("unhandled"); }
};

struct SubPromise;
struct Sub : Stepped<SubPromise> {  // a job that another can await: it runs in that one's place
  using promise_type = SubPromise;
  using Stepped::Stepped;
  bool step();
  void run() { while (step()) {} }
  bool await_ready() noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<SubPromise> awaiting) noexcept;
  int await_resume() noexcept;
};
struct SubPromise {
  int value = 0;
  SubPromise* root = this;
  std::coroutine_handle<> awaiting, innermost;
  struct Final {
    bool await_ready() noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<SubPromise> h) noexcept {
      SubPromise& p = h.promise();
      if (!p.awaiting) return std::noop_coroutine();
      p.root->innermost = p.awaiting;
      return p.awaiting;
    }
    void await_resume() noexcept {}
  };
  Sub get_return_object() { return Sub{std::coroutine_handle<SubPromise>::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void return_value(int v) { value = v; }
  void unhandled_exception() { say("unhandled"); }
};
inline bool Sub::step() {
  std::coroutine_handle<> at = h.promise().innermost;
  if (!at) at = h;
  at.resume();
  return !h.done();
}
inline std::coroutine_handle<> Sub::await_suspend(std::coroutine_handle<SubPromise> awaiting) noexcept {
  SubPromise& p = h.promise();
  p.awaiting = awaiting;
  p.root = awaiting.promise().root;
  p.root->innermost = h;
  return h;
}
inline int Sub::await_resume() noexcept { return h.promise().value; }

template <class T>
struct PauseFor {  // always suspends, prints '|', then yields v
  T v;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept { say("|"); }
  T await_resume() noexcept { return static_cast<T&&>(v); }
};
using Pause = PauseFor<int>;

template <class T>
struct PauseRef {  // yields the object itself
  T& v;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept { say("|"); }
  T& await_resume() noexcept { return v; }
};

struct Ready {  // never suspends
  int v;
  bool await_ready() noexcept { return true; }
  void await_suspend(std::coroutine_handle<>) noexcept {}
  int await_resume() noexcept { return v; }
};

// Runs f() from the start again and again, and destroys it at each of its suspension points in turn.
template <class F>
void at_each_suspension(F f) {
  for (int n = 0;; ++n) {
    bool more = true;
    {
      auto j = f();
      for (int i = 0; i < n && more; ++i) more = j.step();
      say("~");
    }
    say("#");
    if (!more) break;
  }
  say("alive", Trace::alive);
}

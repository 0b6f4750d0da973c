// case:   when_all over lazy tasks: a tuple and a vector, a counter and one continuation, exceptions, destruction
// expect: +1 | | nothing between -1 text!9 shared11 +0 | +1 | +2 | +3 | -1 -3 -0 -2 sum123 empty0 none0 +3 | | then -3 failed nothing +0 | +1 | +2 | +3 | ~ -0 -1 -2 -3 +0 | +1 | +2 | +3 | -1 -3 ~ -0 -2 +0 | +1 | +2 | +3 | -1 -3 -0 -2 sum123 ~ alive0
#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
#include "case.hpp"

template <class T>
class Task;

struct TaskPromiseBase {
  std::coroutine_handle<> continuation;
  std::exception_ptr error;
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      return h.promise().continuation;
    }
    void await_resume() noexcept {}
  };
  std::suspend_always initial_suspend() noexcept { return {}; }
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() { error = std::current_exception(); }
};
template <class T>
struct TaskPromise : TaskPromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <class U>
  void return_value(U&& u) { value.emplace(static_cast<U&&>(u)); }
  T result() {
    if (error) std::rethrow_exception(error);
    return static_cast<T&&>(*value);
  }
};
template <class T>
struct TaskPromise<T&> : TaskPromiseBase {
  T* value = nullptr;
  Task<T&> get_return_object();
  void return_value(T& t) { value = &t; }
  T& result() {
    if (error) std::rethrow_exception(error);
    return *value;
  }
};
template <>
struct TaskPromise<void> : TaskPromiseBase {
  Task<void> get_return_object();
  void return_void() {}
  void result() { if (error) std::rethrow_exception(error); }
};
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;
  using value_type = T;
  explicit Task(std::coroutine_handle<promise_type> h) : h_(h) {}
  Task(Task&& o) noexcept : h_(std::exchange(o.h_, {})) {}
  Task& operator=(Task&&) = delete;
  ~Task() { if (h_) h_.destroy(); }
  auto operator co_await() && noexcept {
    struct Awaiter {
      std::coroutine_handle<promise_type> h;
      bool await_ready() { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<> c) noexcept {
        h.promise().continuation = c;
        return h;
      }
      decltype(auto) await_resume() { return h.promise().result(); }
    };
    return Awaiter{h_};
  }

 private:
  std::coroutine_handle<promise_type> h_;
};
template <class T>
Task<T> TaskPromise<T>::get_return_object() { return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this)); }
template <class T>
Task<T&> TaskPromise<T&>::get_return_object() { return Task<T&>(std::coroutine_handle<TaskPromise>::from_promise(*this)); }
Task<void> TaskPromise<void>::get_return_object() { return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this)); }

// Starts at one more than there are tasks: who brings it to zero goes on.
struct Counter {
  std::atomic<std::size_t> left;
  std::coroutine_handle<> continuation;
  explicit Counter(std::size_t n) : left(n + 1) {}
  bool await_suspend(std::coroutine_handle<> c) noexcept {
    continuation = c;
    return left.fetch_sub(1, std::memory_order_acq_rel) > 1;
  }
  void done() noexcept {
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) continuation.resume();
  }
};

template <class T>
class Part {
 public:
  using value_type = T;
  struct promise_type {
    Counter* counter = nullptr;
    std::exception_ptr error;
    std::add_pointer_t<T> value = nullptr;
    Part get_return_object() { return Part(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Notify {
        bool await_ready() noexcept { return false; }
        void await_suspend(std::coroutine_handle<promise_type> h) noexcept { h.promise().counter->done(); }
        void await_resume() noexcept {}
      };
      return Notify{};
    }
    auto yield_value(T&& v) noexcept {  // stays suspended: the value lives in the awaiting expression
      value = std::addressof(v);
      return final_suspend();
    }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }
  };
  explicit Part(std::coroutine_handle<promise_type> h) : h_(h) {}
  Part(Part&& o) noexcept : h_(std::exchange(o.h_, {})) {}
  ~Part() { if (h_) h_.destroy(); }
  void start(Counter& c) {
    h_.promise().counter = &c;
    h_.resume();
  }
  T&& result() {
    if (h_.promise().error) std::rethrow_exception(h_.promise().error);
    return static_cast<T&&>(*h_.promise().value);
  }

 private:
  std::coroutine_handle<promise_type> h_;
};
struct Nothing {};
template <class T>
Part<T> part(Task<T> t) { co_yield co_await std::move(t); }
Part<Nothing> part(Task<void> t) {
  co_await std::move(t);
  co_yield Nothing{};
}

template <class Parts>
struct AllOf {
  Parts parts;
  Counter counter;
  bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> c) {
    if constexpr (requires { parts.begin(); }) {
      for (auto& p : parts) p.start(counter);
    } else {
      std::apply([this](auto&... p) { (p.start(counter), ...); }, parts);
    }
    return counter.await_suspend(c);
  }
  auto await_resume() {
    if constexpr (requires { parts.begin(); }) {
      using T = std::remove_reference_t<decltype(parts.begin()->result())>;
      std::vector<T> all;
      for (auto& p : parts) all.push_back(p.result());
      return all;
    } else {
      return std::apply([](auto&... p) { return std::tuple<typename std::remove_reference_t<decltype(p)>::value_type...>(p.result()...); }, parts);
    }
  }
};
template <class... T>
auto when_all(Task<T>... t) {
  return AllOf<std::tuple<decltype(part(std::move(t)))...>>{{part(std::move(t))...}, Counter(sizeof...(T))};
}
template <class T>
auto when_all(std::vector<Task<T>> list) {
  std::vector<decltype(part(std::declval<Task<T>>()))> parts;
  for (auto& t : list) parts.push_back(part(std::move(t)));
  return AllOf<decltype(parts)>{std::move(parts), Counter(list.size())};
}

struct Event {  // resumes those who wait, in order
  std::vector<std::coroutine_handle<>> waiting;
  bool set = false;
  bool await_ready() const noexcept { return set; }
  void await_suspend(std::coroutine_handle<> h) { say("|"), waiting.push_back(h); }
  void await_resume() const noexcept {}
  void fire() {
    set = true;
    for (auto h : std::exchange(waiting, {})) h.resume();
  }
};

Task<int> number(Event& e, int n) {
  Trace t(n);
  co_await e;
  co_return n;
}
Task<std::string> text(std::string s) { co_return s + "!"; }
Task<int&> reference(int& n) { co_return n; }
Task<void> nothing(Event& e) { co_await e; say("nothing"); }
Task<int> fails(Event& e) {
  co_await e;
  throw std::runtime_error("failed");
}
struct MoveOnly {
  int n;
  explicit MoveOnly(int k) : n(k) {}
  MoveOnly(MoveOnly&& o) noexcept : n(std::exchange(o.n, 0)) {}
};
Task<MoveOnly> move_only(int n) { co_return MoveOnly(n); }

VoidJob tuple(Event& a, Event& b, int& shared) {
  auto [x, s, r, none, m] = co_await when_all(number(a, 1), text("text"), reference(shared), nothing(b), move_only(9));
  r = x + 10;
  say(s.c_str(), m.n);
}
VoidJob vector(Event& a, Event& b) {
  std::vector<Task<int>> list;
  for (int i = 0; i < 4; ++i) list.push_back(number(i % 2 ? a : b, i));
  int sum = 0;
  for (int n : co_await when_all(std::move(list))) sum = sum * 10 + n;
  say("sum", sum);
}
VoidJob empty() {
  say("empty", static_cast<int>((co_await when_all(std::vector<Task<int>>())).size()));
  auto none = co_await when_all();
  say("none", static_cast<int>(std::tuple_size_v<decltype(none)>));
}
VoidJob failing(Event& a, Event& b) {
  try {
    auto [x, y] = co_await when_all(number(a, 3), fails(b));
    say("not reached", x + y);
  } catch (const std::runtime_error& e) {
    say(e.what());
  }
  Event& once_more = a;
  co_await nothing(once_more);
}
int main() {
  {
    Event a, b;
    int shared = 0;
    VoidJob j = tuple(a, b, shared);
    j.step();
    b.fire();
    say("between");
    a.fire();
    say("shared", shared);
  }
  {
    Event a, b;
    VoidJob j = vector(a, b);
    j.step();
    a.fire();
    b.fire();
  }
  empty().step();
  {
    Event a, b;
    VoidJob j = failing(a, b);
    j.step();
    b.fire();  // the failed one waits for the other
    say("then");
    a.fire();
  }
  for (int n = 0; n < 3; ++n) {  // destroyed with all, one and none of the parts still waiting
    Event a, b;
    {
      VoidJob j = vector(a, b);
      j.step();
      if (n > 0) a.fire();
      if (n > 1) b.fire();
      say("~");
    }
    a.waiting.clear();
  }
  say("alive", Trace::alive);
}

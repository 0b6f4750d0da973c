// co_await hel::when_any(...): waits for the first of several tasks to be over.
//
//   auto r = co_await hel::when_any(f(1), f(2));         // tasks: runs them side by side, cancels the others
//   auto r = co_await hel::when_any(a, b);               // join handles: waits, and leaves the others alone
//   auto r = co_await hel::when_any(std::move(tasks));   // a std::vector of either
//   if (r.value) use(r.index, *r.value);                 // hel::any_result
//
// The first to be over counts, however it ends: a failure is the result's error, an exception is thrown to the awaiting
// task. What becomes of the others depends on what they are:
//
// * Tasks run under a cancel token of this when_any. When the first is over the others are cancelled, as hel/cancel.hpp
//   says: they fail where they are suspended, or at their next suspension. when_any waits until all of them are over,
//   so that what they refer to may be local to the awaiting task; what they leave is dropped, an exception included. A
//   task that never suspends again, that waits for a host call that cannot be given up (hel/host.hpp) or for a request
//   that is being handled runs on until then. Tasks that they have spawned are not cancelled.
// * Join handles stand for tasks that somebody has spawned, and are never cancelled: who spawned them with a token may
//   use it. A handle that is passed as an lvalue and was not first is as before: it can be joined, or given to the next
//   when_any. One that is passed as an rvalue is dropped, which detaches its task: that runs on by itself, its result
//   is dropped. The first one's handle is joined. Handles that were joined already are passed over.
//
// If the awaiting task is cancelled, so are the tasks; handles are let go as above. std::invalid_argument if there is
// nothing to wait for. Host only so far.
#pragma once

#include <coroutine>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "hel/cancel.hpp"
#include "hel/spawn.hpp"
#include "hel/task.hpp"

namespace hel {

// Which one was first, counted from 0 in the order written, and its result. Of tasks with several result types, T is a
// std::variant with an alternative for each task; a task<T&> has a T* in it, a task<void> an empty object.
template <class T>
struct any_result {
  std::size_t index;
  expected<T, error> value;
};

namespace detail {

template <class T, class... Ts>
struct any_value {
  static constexpr bool same = (std::is_same_v<T, Ts> && ...);
  using type = std::conditional_t<same, T, std::variant<stored_t<T>, stored_t<Ts>...>>;
};

// The I-th alternative of `Value` from the expected result of a task.
template <std::size_t I, class Value, class T>
any_result<Value> any_alternative(expected<T, error>&& r) {
  if constexpr (std::is_same_v<Value, T>) {
    return {I, std::move(r)};
  } else if (!r) {
    return {I, unexpected<error>(r.error())};
  } else if constexpr (std::is_void_v<T>) {
    return {I, Value(std::in_place_index<I>)};
  } else if constexpr (std::is_reference_v<T>) {
    return {I, Value(std::in_place_index<I>, __builtin_addressof(*r))};
  } else {
    return {I, Value(std::in_place_index<I>, *std::move(r))};
  }
}

inline constexpr std::uint32_t nobody = 0xffffffffu;

// ---- tasks

class any_race;

// Told when its task is over.
struct any_member : exec::action {
  any_member() noexcept : action(&any_member::over) {}
  any_member(any_member&&) = delete;
  static void over(void* self) noexcept;

  join_group group;  // of one task, which is how it finds the token and who awaits it
  any_race* race = nullptr;
  std::uint32_t index = 0;
  void* frame = nullptr;
};

// Tasks that run until all are over; the first to be over cancels the others.
class any_race {
 public:
  any_race() noexcept = default;
  any_race(any_race&&) = delete;
  ~any_race() {
    above_.leave();
    if (token_) token_->release();
  }

  template <class T>
  void enter(any_member& m, task<T>& t, std::uint32_t index) noexcept {
    result<T>& out = t.out();
    m.race = this;
    m.index = index;
    m.frame = out.frame;
    promise_base& p = promise_of(out.frame);
    p.link = &m.group;
    p.slot = &out;
    out.kind = reports::to_group;
  }

  // Returns what runs next. The race may be over, and gone, before the function is.
  template <class P>
  std::coroutine_handle<> start(any_member* members, std::uint32_t n, std::coroutine_handle<P> waiting) {
    waiting_ = waiting;
    home_ = current_home();
    left_.reset(n);
    token_ = cancel_state::create();
    void* above = nullptr;
    if constexpr (is_task_promise<P>) above = waiting.address();
    if (cancel_state* c = token_of(waiting)) {
      if (above_.follow(c, waiting) == cancel_point::started::cancelled) return fail_from(waiting, errc::cancelled);
    }
    cancellation_used.store_relaxed(1);
    for (std::uint32_t i = 0; i < n; ++i) {
      join_group& g = members[i].group;
      g.remaining.reset(1);
      g.waiter = members[i].handle();
      g.token = token_;
      g.above = above;
    }
    // The first one runs here and now. It has not started until this function returns, so the race lives that long.
    const auto first = std::coroutine_handle<>::from_address(members[0].frame);
    exec::executor* const home = home_;
    for (std::uint32_t i = 1; i < n; ++i) enqueue(home, std::coroutine_handle<>::from_address(members[i].frame));
    return transfer_or_enqueue(home, first);
  }

  void member_over(std::uint32_t index) noexcept {
    std::uint32_t found = nobody;
    if (first_.cas_acq_rel(found, index)) token_->request();
    if (!left_.arrive()) return;
    if (above_.cancelled.load_relaxed() != 0)
      fail_later(waiting_, errc::cancelled);  // destroys *this
    else
      enqueue(home_, waiting_);
  }

  std::uint32_t finish() noexcept {
    above_.leave();
    return first_.load_relaxed();
  }

 private:
  // Where the awaiting task itself runs under a token: passes its cancellation on. The task is told when all are over.
  struct link : cancel_point {
    explicit link(any_race* r) noexcept : race(r) {}
    started follow(cancel_state* c, std::coroutine_handle<> h) noexcept {
      return start(
          c, h,
          [](cancel_point* p) noexcept {
            auto* self = static_cast<link*>(p);
            self->cancelled.store_relaxed(1);
            self->race->token_->request();
            return false;
          },
          []() noexcept { return true; });
    }
    any_race* race;
    core::atomic<std::uint32_t> cancelled;
  };

  core::dependency_counter<> left_;
  core::atomic<std::uint32_t> first_{nobody};
  cancel_state* token_ = nullptr;
  std::coroutine_handle<> waiting_;
  exec::executor* home_ = nullptr;
  link above_{this};
};

inline void any_member::over(void* self) noexcept {
  auto* m = static_cast<any_member*>(static_cast<exec::action*>(self));
  m->race->member_over(m->index);
}

// The outcome of the first. Throws what the task threw.
template <class T>
expected<T, error> take_outcome(task<T>& t) {
  if (t.out().has_failed()) return unexpected<error>(t.out().err);
  if constexpr (std::is_void_v<T>) {
    t.out().take();
    return {};
  } else {
    return t.out().take();
  }
}

template <class... Ts>
class any_of_tasks {
  using value = typename any_value<Ts...>::type;
  static constexpr std::size_t n = sizeof...(Ts);

 public:
  explicit any_of_tasks(task<Ts>&&... tasks) noexcept : tasks_(std::move(tasks)...) {}
  any_of_tasks(any_of_tasks&&) = delete;

  bool await_ready() const noexcept { return false; }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::any, this);
    enter(std::make_index_sequence<n>());
    return race_.start(members_, n, waiting);
  }
  any_result<value> await_resume() { return take<0>(race_.finish()); }

 private:
  template <std::size_t... I>
  void enter(std::index_sequence<I...>) noexcept {
    (race_.enter(members_[I], std::get<I>(tasks_), static_cast<std::uint32_t>(I)), ...);
  }
  template <std::size_t I>
  any_result<value> take(std::uint32_t first) {
    if constexpr (I + 1 < n) {
      if (first != I) return take<I + 1>(first);
    }
    return any_alternative<I, value>(take_outcome(std::get<I>(tasks_)));
  }

  std::tuple<task<Ts>...> tasks_;
  any_member members_[n];
  any_race race_;
};

template <class T>
class any_in_tasks {
 public:
  explicit any_in_tasks(std::vector<task<T>> tasks) : tasks_(std::move(tasks)), members_(tasks_.size()) {
    if (tasks_.empty()) throw std::invalid_argument("hel::when_any: no tasks");
  }
  any_in_tasks(any_in_tasks&&) = delete;

  bool await_ready() const noexcept { return false; }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::any, this);
    const auto n = static_cast<std::uint32_t>(tasks_.size());
    for (std::uint32_t i = 0; i < n; ++i) race_.enter(members_[i], tasks_[i], i);
    return race_.start(members_.data(), n, waiting);
  }
  any_result<T> await_resume() {
    const std::uint32_t first = race_.finish();
    return {first, take_outcome(tasks_[first])};
  }

 private:
  std::vector<task<T>> tasks_;
  std::vector<any_member> members_;
  any_race race_;
};

// ---- join handles

// A wait in several completion words. Its block outlives the awaiting task where words are just being completed.
class any_wait {
  struct entry : exec::action {
    entry(any_wait* b, std::uint32_t i, completion* w) noexcept : action(&entry::woken), block(b), index(i), word(w) {
      link.handle = handle();
    }
    static void woken(void* self) noexcept {
      auto* e = static_cast<entry*>(static_cast<exec::action*>(self));
      e->block->fired(e->index);
    }
    any_wait* block;
    std::uint32_t index;
    completion* word;
    waiter link;
  };
  struct point : cancel_point {
    explicit point(any_wait* b) noexcept : block(b) {}
    static bool withdraw(cancel_point* p) noexcept {
      std::uint32_t found = nobody;
      return static_cast<point*>(p)->block->first_.cas_acq_rel(found, nobody - 1);
    }
    any_wait* block;
  };

 public:
  static any_wait* create(std::uint32_t most) { return ::new (allocate_block(bytes(most))) any_wait(most); }
  void add(std::uint32_t index, completion& word) noexcept {
    ::new (static_cast<void*>(entries() + size_++)) entry(this, index, &word);
  }

  template <class P>
  std::coroutine_handle<> suspend(std::coroutine_handle<P> h) noexcept {
    waiting_ = h;
    home_ = current_home();
    if (cancel_state* c = token_of(h))
      return cancel_.suspend(c, h, &point::withdraw, [this]() noexcept { return queue(); });
    if (queue()) return std::noop_coroutine();
    return h;
  }
  // The awaiting task goes on, or goes: nothing fires any more but what is on its way.
  void leave() noexcept {
    cancel_.leave();
    for (std::uint32_t i = 0; i < queued_; ++i) {
      entry& e = entries()[i];
      if (withdraw_link(*e.word, e.link)) references_.arrive();
    }
    release();
  }
  std::uint32_t first() const noexcept { return first_.load_relaxed(); }

 private:
  explicit any_wait(std::uint32_t most) noexcept : references_(1), open_(2), most_(most) {}
  static std::size_t bytes(std::uint32_t n) noexcept { return sizeof(any_wait) + n * sizeof(entry); }
  entry* entries() noexcept { return reinterpret_cast<entry*>(this + 1); }

  // True: the first is still to come; the awaiting task may be gone already.
  bool queue() noexcept {
    for (std::uint32_t i = 0; i < size_; ++i) {
      entry& e = entries()[i];
      e.link.home = home_;
      references_.add(1);
      ++queued_;
      if (e.word->try_wait(&e.link)) continue;
      references_.arrive();
      --queued_;
      std::uint32_t found = nobody;
      if (first_.cas_acq_rel(found, e.index)) return false;
      break;
    }
    return !open_.arrive();
  }
  void fired(std::uint32_t index) noexcept {
    std::uint32_t found = nobody;
    if (first_.cas_acq_rel(found, index) && open_.arrive()) enqueue(home_, waiting_);
    release();
  }
  void release() noexcept {
    if (!references_.arrive()) return;
    for (std::uint32_t i = 0; i < size_; ++i) entries()[i].~entry();
    const std::size_t n = bytes(most_);
    this->~any_wait();
    free_block_of(this, n);
  }

  core::dependency_counter<> references_;  // the awaiting task's, and each queued entry's
  core::dependency_counter<> open_;        // the first one, and that all are queued
  core::atomic<std::uint32_t> first_{nobody};
  const std::uint32_t most_;
  std::uint32_t size_ = 0, queued_ = 0;
  std::coroutine_handle<> waiting_;
  exec::executor* home_ = nullptr;
  point cancel_{this};
};

// Owns an any_wait for as long as the awaiting task is concerned.
class any_waiting {
 public:
  explicit any_waiting(std::uint32_t most) : wait_(any_wait::create(most)) {}
  any_waiting(any_waiting&&) = delete;
  ~any_waiting() { finish(); }

  // Index is written if a handle's task is over already.
  template <class T>
  void add(std::uint32_t index, join_handle<T>& h) noexcept {
    if (!h.valid()) return;
    ++size_;
    if (done_ == nobody && h.root()->word.done()) done_ = index;
    wait_->add(index, h.root()->word);
  }
  void check() const {
    if (size_ == 0) throw std::invalid_argument("hel::when_any: no task is left to wait for");
  }
  bool ready() const noexcept { return done_ != nobody; }
  template <class P>
  std::coroutine_handle<> suspend(std::coroutine_handle<P> h) noexcept {
    return wait_->suspend(h);
  }
  std::uint32_t finish() noexcept {
    if (wait_) {
      if (done_ == nobody) done_ = wait_->first();
      wait_->leave();
      wait_ = nullptr;
    }
    return done_;
  }

 private:
  any_wait* wait_;
  std::uint32_t size_ = 0;
  std::uint32_t done_ = nobody;
};

// Handles: join_handle<T> or join_handle<T>&.
template <class... Handles>
class any_of_handles {
  template <class H>
  using result_of = std::remove_cvref_t<decltype(std::declval<H>().root()->out)>;
  template <class T>
  static T result_type(result<T>*);
  using value = typename any_value<decltype(result_type(static_cast<result_of<Handles>*>(nullptr)))...>::type;
  static constexpr std::size_t n = sizeof...(Handles);

 public:
  explicit any_of_handles(Handles&&... handles)
      : handles_(std::forward<Handles>(handles)...), waiting_(static_cast<std::uint32_t>(n)) {
    add(std::make_index_sequence<n>());
    waiting_.check();
  }
  any_of_handles(any_of_handles&&) = delete;

  bool await_ready() const noexcept { return waiting_.ready(); }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
    if (tasks_recorded) [[unlikely]]
      step_waits(h, wait_kind::any, this);
    return waiting_.suspend(h);
  }
  any_result<value> await_resume() { return take<0>(waiting_.finish()); }

 private:
  template <std::size_t... I>
  void add(std::index_sequence<I...>) noexcept {
    (waiting_.add(static_cast<std::uint32_t>(I), std::get<I>(handles_)), ...);
  }
  template <std::size_t I>
  any_result<value> take(std::uint32_t first) {
    if constexpr (I + 1 < n) {
      if (first != I) return take<I + 1>(first);
    }
    return any_alternative<I, value>(std::get<I>(handles_).deliver_errors().await_resume());
  }

  std::tuple<Handles...> handles_;
  any_waiting waiting_;  // goes first
};

// Handles: std::vector<join_handle<T>> or a reference to one.
template <class T, class Handles>
class any_in_handles {
 public:
  explicit any_in_handles(Handles&& handles)
      : handles_(std::forward<Handles>(handles)), waiting_(static_cast<std::uint32_t>(handles_.size())) {
    for (std::uint32_t i = 0; i < handles_.size(); ++i) waiting_.add(i, handles_[i]);
    waiting_.check();
  }
  any_in_handles(any_in_handles&&) = delete;

  bool await_ready() const noexcept { return waiting_.ready(); }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
    if (tasks_recorded) [[unlikely]]
      step_waits(h, wait_kind::any, this);
    return waiting_.suspend(h);
  }
  any_result<T> await_resume() {
    const std::uint32_t first = waiting_.finish();
    return {first, handles_[first].deliver_errors().await_resume()};
  }

 private:
  Handles handles_;
  any_waiting waiting_;  // goes first
};

template <class H>
inline constexpr bool is_join_handle = false;
template <class T>
inline constexpr bool is_join_handle<join_handle<T>> = true;

}  // namespace detail

template <class... Ts>
requires(sizeof...(Ts) > 0) [[nodiscard("co_await it")]] auto when_any(task<Ts>... tasks) noexcept {
  return detail::any_of_tasks<Ts...>(std::move(tasks)...);
}

template <class... Handles>
requires(sizeof...(Handles) > 0 && (detail::is_join_handle<std::remove_reference_t<Handles>> && ...))
    [[nodiscard("co_await it")]] auto when_any(Handles&&... handles) {
  return detail::any_of_handles<Handles...>(std::forward<Handles>(handles)...);
}

template <class T>
[[nodiscard("co_await it")]] auto when_any(std::vector<task<T>> tasks) {
  return detail::any_in_tasks<T>(std::move(tasks));
}
template <class T>
[[nodiscard("co_await it")]] auto when_any(std::vector<join_handle<T>>& handles) {
  return detail::any_in_handles<T, std::vector<join_handle<T>>&>(handles);
}
template <class T>
[[nodiscard("co_await it")]] auto when_any(std::vector<join_handle<T>>&& handles) {
  return detail::any_in_handles<T, std::vector<join_handle<T>>>(std::move(handles));
}

}  // namespace hel

// hel::spawn(f, args...): starts a task that may run on any worker, and a handle to join it.
//
//   auto h = hel::spawn(f, a, b);     // never suspends; f(a, b) is called here, so by-value parameters are copied now
//   T x = co_await h;                 // suspends unless the task is over; a failed task fails the awaiting one
//   auto r = co_await hel::as_expected(h);
//
// Where a thousand tasks of its worker wait already, the task runs inside spawn(), up to its first suspension, so that
// the memory of tasks stays bounded: do not hold a lock during the call that the task takes, too.
//
// f is a function, a lambda or another callable that returns hel::task<T>; a callable with captures is kept until the
// task is over. Arguments that bind to reference parameters must outlive the task: a temporary is refused where f is a
// function, whose parameters can be seen.
//
// A join handle is movable and joined at most once. Destroying it without joining detaches the task, which then runs to
// its end on its own; its error or exception is dropped. So a task that fails or throws before it has joined its
// children leaves them running: what they refer to must live on, or they are awaited through hel::when_all, which waits
// for all. Spawning and joining are for tasks of one runtime only (std::logic_error for spawn elsewhere).
#pragma once

#include <memory>
#include <stdexcept>

#include "hel/detail/cancel.hpp"
#include "hel/task.hpp"

namespace hel {

template <class T>
class join_handle;

namespace detail {

// What may stand in front of the callable: hel::retry and the like.
template <class Option>
inline constexpr bool is_spawn_option = false;

template <class Task>
struct is_task : std::false_type {};
template <class T>
struct is_task<task<T>> : std::true_type {
  using value_type = T;
};

// Would parameter type P bind to something that ends with the call, given an argument of type A?
template <class P, class A>
constexpr bool binds_temporary = std::is_reference_v<P> &&
                                 (!std::is_lvalue_reference_v<A> ||
                                  !std::is_convertible_v<std::remove_reference_t<A>*, std::remove_reference_t<P>*>);

template <class F, class... Args>
struct call_check : std::true_type {};
template <class R, class... Ps, class... Args>
requires(sizeof...(Ps) == sizeof...(Args)) struct call_check<R (*)(Ps...), Args...>
    : std::bool_constant<(!binds_temporary<Ps, Args> && ...)> {
};

template <class F>
struct kept_callable : spawn_extra {
  F f;

  template <class G>
  HEL_HD explicit kept_callable(G&& g) : spawn_extra{&kept_callable::release}, f(std::forward<G>(g)) {}
  HEL_HD static void release(spawn_extra* self) noexcept {
    auto* k = static_cast<kept_callable*>(self);
    k->~kept_callable();
    free_block_of(k, sizeof(kept_callable));
  }
};

// Calls f and makes a root of the task that it returns, ready to be counted and enqueued.
template <class F, class... Args>
HEL_HD auto* create_uncounted_root(exec::executor* home, F&& f, Args&&... args) {
  using callable = std::decay_t<F>;
  static_assert(call_check<callable, Args&&...>::value,
                "a reference parameter of a spawned task would be bound to a temporary, which ends before the task "
                "runs: take the parameter by value");
  if constexpr (std::is_class_v<callable> && !std::is_empty_v<callable>) {
    static_assert(alignof(callable) <= 16);
    using made = decltype(std::declval<callable&>()(std::forward<Args>(args)...));
    static_assert(is_task<made>::value, "the callable must return hel::task<T>");
#if defined(__CUDA_ARCH__)
    void* const block = device::try_allocate(sizeof(kept_callable<callable>));
    if (!block) return root<typename made::value_type>::refused();
#else
    void* const block = allocate_block(sizeof(kept_callable<callable>));
#endif
    auto* kept = ::new (block) kept_callable<callable>(std::forward<F>(f));
    struct keeper {  // until the root has it
      kept_callable<callable>* k;
      HEL_HD ~keeper() {
        if (k) kept_callable<callable>::release(k);
      }
    } guard{kept};
    const std::coroutine_handle<> frame = kept->f(std::forward<Args>(args)...).release();
    guard.k = nullptr;
    return root<typename made::value_type>::make(frame, home, kept);
  } else {
    using made = decltype(f(std::forward<Args>(args)...));
    static_assert(is_task<made>::value, "the callable must return hel::task<T>");
    const std::coroutine_handle<> frame = f(std::forward<Args>(args)...).release();
    return root<typename made::value_type>::make(frame, home, nullptr);
  }
}

// The same, counted, ready to be enqueued. On a device it may be refused: then there is no task.
template <class F, class... Args>
HEL_HD auto* create_root(exec::executor* home, F&& f, Args&&... args) {
  auto* root = create_uncounted_root(home, std::forward<F>(f), std::forward<Args>(args)...);
#if defined(__CUDA_ARCH__)
  if (!root->is_refused()) device::count_root_started();
#else
  if (cancel_state* c = home->token()) [[unlikely]]
    attach_token(*root, c);
  count_root_started(*home);
#endif
  return root;
}

// Awaits a root that a handle owns, and takes it over. Deliver: failures arrive as values (hel::as_expected).
template <class T, bool Deliver>
class join_awaiter {
 public:
  HEL_HD explicit join_awaiter(root<T>*& r) noexcept : root_(&r) {}

  HEL_HD bool await_ready() const noexcept { return ready(**root_); }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    return suspend(**root_, waiting);
  }
  HEL_HD std::conditional_t<Deliver, expected<T, error>, T> await_resume() { return resume(*root_); }

  HEL_HD static bool ready(const root<T>& r) noexcept { return r.word.done() && (Deliver || !r.out.has_failed()); }

  template <class P>
  HEL_HD static std::coroutine_handle<> suspend(root<T>& r, std::coroutine_handle<P> waiting) noexcept {
    constexpr bool fails = !Deliver && is_task_promise<P>;
#if !defined(__CUDA_ARCH__)
    // Where the task was spawned last on this worker and nobody has stolen it, it becomes a call: no word to agree on.
    // Others that wait for it are woken when its record goes.
    exec::local_worker* const w = exec::this_worker;
    cancel_state* const token = token_of(waiting);
    if (token) [[unlikely]]  // no call: the task that waits is to be woken
      return join_point::suspend(token, waiting, r.word, Deliver ? nullptr : &r.out);
    // Done: it has failed, and its frame may be another task's by now.
    if (w && r.task && !r.word.done()) [[likely]] {
      void* const frame = r.task;
      if (w->deque.pop_if(frame)) [[likely]] {
        exec::root_counters::add_one(w->roots.finished);  // the task that waits is counted
        r.called = true;
        promise_of(frame).link = waiting.address();
        r.out.kind = fails ? reports::joined_task : reports::joined_caller;
        return std::coroutine_handle<>::from_address(frame);
      }
    }
#endif
#if defined(__CUDA_ARCH__)
    if (r.is_refused()) return fail_for_memory(waiting);
#endif
    return wait(r, waiting, fails ? failing_promise(waiting) : nullptr);
  }

  HEL_HD static std::conditional_t<Deliver, expected<T, error>, T> resume(root<T>*& handle) {
    const releaser release{handle};  // after the result was moved out
    handle = nullptr;
    if constexpr (Deliver) {
      if (release.r->out.has_failed()) return unexpected<error>(release.r->out.err);
      if constexpr (std::is_void_v<T>) {
        release.r->out.take();
        return {};
      } else {
        return release.r->out.take();
      }
    } else {
      return release.r->out.take();
    }
  }

 private:
  struct releaser {
    root<T>* r;
    HEL_HD ~releaser() { root<T>::release(r); }
  };

  HEL_COLD_NOEXCEPT HEL_HD static std::coroutine_handle<> wait(root<T>& r, std::coroutine_handle<> waiting,
                                                               promise_base* parent) noexcept {
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::join, r.word.done() ? nullptr : r.task);
#endif
    waiter& entry = *::new (static_cast<void*>(&r.joiner)) waiter();
    entry.handle = waiting;
    entry.home = current_home();
    entry.parent = parent;
    if (r.word.try_wait(&entry)) return std::noop_coroutine();
    if (parent && r.out.has_failed()) return fail_from(waiting, r.out.err);
    return waiting;
  }

  root<T>** root_;
};

}  // namespace detail

template <class T>
class [[nodiscard("a join handle that is dropped detaches its task")]] join_handle {
 public:
  join_handle() noexcept = default;
  HEL_HD explicit join_handle(detail::root<T> * r) noexcept : root_(r) {}
  HEL_HD join_handle(join_handle && o) noexcept : root_(o.root_) { o.root_ = nullptr; }
  HEL_HD join_handle& operator=(join_handle&& o) noexcept {
    if (this != &o) {
      detach();
      root_ = o.root_;
      o.root_ = nullptr;
    }
    return *this;
  }
  HEL_HD ~join_handle() {
    if (root_) [[unlikely]]
      let_go(root_);
  }

  // False once joined, detached or moved from.
  HEL_HD bool valid() const noexcept { return root_ != nullptr; }
  HEL_HD bool done() const noexcept { return root_->word.done(); }

  HEL_HD void detach() noexcept {
    if (root_) let_go(root_);
    root_ = nullptr;
  }

  HEL_HD bool await_ready() const noexcept { return joining::ready(*root_); }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
    return joining::suspend(*root_, h);
  }
  HEL_HD T await_resume() { return joining::resume(root_); }
  HEL_HD auto deliver_errors() noexcept { return detail::join_awaiter<T, true>(root_); }

  // For the runtime.
  HEL_HD detail::root<T>*& root() noexcept { return root_; }

 private:
  HEL_COLD_NOEXCEPT HEL_HD static void let_go(detail::root<T> * r) noexcept {
    // A task that was being joined as a call is the joining task's own.
    if (r->called || r->word.detach()) detail::root<T>::release(r);
  }

  using joining = detail::join_awaiter<T, false>;
  detail::root<T>* root_ = nullptr;
};

namespace detail {

#if !defined(__CUDA_ARCH__)
// Calling f has thrown: where there is no frame for the task, the handle has the error.
template <class T>
HEL_COLD join_handle<T> not_spawned(root<T>*, const failure& e) {
  if (e.error() != errc::out_of_frames) throw;
  return join_handle<T>(root<T>::make_failed(current_home(), e.error()));
}
#endif

// Where the calling thread is no worker with a deque of its own.
template <class F, class... Args>
HEL_COLD HEL_HD auto spawn_elsewhere(F&& f, Args&&... args) {
  exec::executor* home = spawn_home();
#if !defined(__CUDA_ARCH__)
  if (!home) throw std::logic_error("hel::spawn is called from a task; a program starts tasks with runtime::launch");
#endif
  decltype(create_root(home, std::forward<F>(f), std::forward<Args>(args)...)) root = nullptr;
#if defined(__CUDA_ARCH__)
  root = create_root(home, std::forward<F>(f), std::forward<Args>(args)...);
#else
  try {
    root = create_root(home, std::forward<F>(f), std::forward<Args>(args)...);
  } catch (const failure& e) {
    return not_spawned(root, e);
  }
#endif
  join_handle handle(root);
#if defined(__CUDA_ARCH__)
  if (!root->is_refused()) enqueue(home, std::coroutine_handle<>::from_address(root->out.frame));
#else
  home->schedule_spawned(std::coroutine_handle<>::from_address(root->out.frame));
#endif
  return handle;
}

}  // namespace detail

template <class F, class... Args>
requires(!detail::is_spawn_option<std::remove_cvref_t<F>>) HEL_APART HEL_HD auto spawn(F&& f, Args&&... args) {
#if !defined(__CUDA_ARCH__)
  if (exec::local_worker* const w = exec::this_worker) [[likely]] {
    decltype(detail::create_uncounted_root(w->owner, std::forward<F>(f), std::forward<Args>(args)...)) root = nullptr;
    try {
      root = detail::create_uncounted_root(w->owner, std::forward<F>(f), std::forward<Args>(args)...);
    } catch (const failure& e) {
      return detail::not_spawned(root, e);
    }
    exec::root_counters::add_one(w->roots.started);
    join_handle handle(root);
    w->spawn_ready(root->out.frame);
    return handle;
  }
#endif
  return detail::spawn_elsewhere(std::forward<F>(f), std::forward<Args>(args)...);
}

}  // namespace hel

// co_await hel::when_all(tasks...): runs tasks side by side and waits for all of them.
//
//   auto r = co_await hel::when_all(f(1), g(2));      // hel::tuple of the results, in order; hel::get<0>(r)
//   auto v = co_await hel::when_all(std::move(tasks));  // std::vector<task<T>> -> std::vector<T>; host only
//
// The result of a task<void> is an empty object in the tuple; a vector of task<void> gives void. If tasks fail or
// throw, when_all still waits for all of them; then the awaiting task fails with the failure of the first task in the
// order written, or, if none failed, gets the exception of the first that threw.
#pragma once

#include <coroutine>
#include <utility>
#include <vector>

#include "hel/task.hpp"
#include "hel/tuple.hpp"

namespace hel {
namespace detail {

// Makes `group` wait for its members, makes all but the first ready and returns the first, which runs here and now.
HEL_HD inline std::coroutine_handle<> start_group(join_group& group) noexcept {
  // A member may be over, and with the last one the group, as soon as it is enqueued. The first has not started until
  // this function returns, so the group lives at least that long.
  group.remaining.reset(static_cast<std::uint32_t>(group.count));
  exec::executor* home = current_home();
  const auto first = std::coroutine_handle<>::from_address(group.members[0]->frame);
  for (std::size_t i = 1; i < group.count; ++i)
    enqueue(home, std::coroutine_handle<>::from_address(group.members[i]->frame));
  return transfer_or_enqueue(home, first);
}

template <class T>
HEL_HD return_slot* prepare_member(task<T>& t, join_group& group) noexcept {
  result<T>& out = t.out();
  out.kind = reports::to_group;
  promise_base& p = promise_of(out.frame);
  p.link = &group;
  p.slot = &out;
  return &out;
}

template <class T>
HEL_HD stored_t<T> take_member(task<T>& t) {
  if constexpr (std::is_void_v<T>) {
    t.out().take();
    return {};
  } else if constexpr (std::is_reference_v<T>) {
    return __builtin_addressof(t.out().take());
  } else {
    return t.out().take();
  }
}

// A failed member under a coroutine that is no task of ours.
HEL_HD inline void raise_failures(const join_group& g) {
  if (const return_slot* m = first_failed(g)) raise_failure(m->err);
}

template <class... Ts>
class all_of {
  static constexpr std::size_t n = sizeof...(Ts);

 public:
  HEL_HD explicit all_of(task<Ts>&&... tasks) noexcept : tasks_{{{std::move(tasks)}...}} {}
  all_of(all_of&&) = delete;

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    group_.waiter = waiting;
    group_.parent = failing_promise(waiting);
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::all, this);
#endif
#if defined(__CUDA_ARCH__)
    if (any_without_frame(std::make_index_sequence<n>())) return fail_for_memory(waiting);
#endif
    prepare(std::make_index_sequence<n>());
    return start_group(group_);
  }
  HEL_HD tuple<stored_t<Ts>...> await_resume() {
    raise_failures(group_);
    return take(std::make_index_sequence<n>());
  }

 private:
#if defined(__CUDA_ARCH__)
  template <std::size_t... I>
  __device__ bool any_without_frame(std::index_sequence<I...>) noexcept {
    return (!hel::get<I>(tasks_).out().frame || ...);
  }
#endif
  template <std::size_t... I>
  HEL_HD void prepare(std::index_sequence<I...>) noexcept {
    ((members_[I] = prepare_member(hel::get<I>(tasks_), group_)), ...);
    group_.members = members_;
    group_.count = n;
  }
  template <std::size_t... I>
  HEL_HD tuple<stored_t<Ts>...> take(std::index_sequence<I...>) {
    return {{{take_member(hel::get<I>(tasks_))}...}};
  }

  tuple<task<Ts>...> tasks_;
  return_slot* members_[n];
  join_group group_;
};

template <class T>
class all_in {
 public:
  explicit all_in(std::vector<task<T>> tasks) : tasks_(std::move(tasks)), members_(tasks_.size()) {}
  all_in(all_in&&) = delete;

  bool await_ready() const noexcept { return tasks_.empty(); }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    group_.waiter = waiting;
    group_.parent = failing_promise(waiting);
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::all, this);
    for (std::size_t i = 0; i < tasks_.size(); ++i) members_[i] = prepare_member(tasks_[i], group_);
    group_.members = members_.data();
    group_.count = members_.size();
    return start_group(group_);
  }
  auto await_resume() {
    raise_failures(group_);
    if constexpr (std::is_void_v<T>) {
      for (auto& t : tasks_) t.out().take();
    } else {
      std::vector<stored_t<T>> results;
      results.reserve(tasks_.size());
      for (auto& t : tasks_) results.push_back(take_member(t));
      return results;
    }
  }

 private:
  std::vector<task<T>> tasks_;
  std::vector<return_slot*> members_;
  join_group group_;
};

}  // namespace detail

template <class... Ts>
requires(sizeof...(Ts) > 0) [[nodiscard("co_await it")]] HEL_HD auto when_all(task<Ts>&&... tasks) noexcept {
  return detail::all_of<Ts...>(std::move(tasks)...);
}

template <class T>
[[nodiscard("co_await it")]] auto when_all(std::vector<task<T>> tasks) {
  return detail::all_in<T>(std::move(tasks));
}

}  // namespace hel

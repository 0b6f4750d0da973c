// hel::spawn_after(dependencies, f, args...): spawns a task that starts when others are over.
//
//   auto c = hel::spawn_after({a, b}, f, x);          // a, b: join handles, events, tickets (hel/dependency.hpp)
//   auto d = hel::spawn_after(c, g, y);               // one
//   auto e = hel::spawn_after(handles, g, z);         // a range of them, its length known only at run time
//   T r = co_await c;                                 // as hel::spawn
//
// f(args...) is called here and now, so its arguments are copied now, and the task waits unstarted; what is over
// already counts at once, and a task whose dependencies are all over is spawned as by hel::spawn. Whoever is the last
// of its dependencies to finish makes it ready.
//
// A dependency is over however it ends: with a result, a failure or an exception. Who wants the result joins it. The
// exception is an abandoned ticket: the task then fails with errc::abandoned, without having started. In an application
// that is cancelled (hel::cancellable) it fails with errc::cancelled, without having started or waiting any longer;
// what was to start after it in turn counts it as over.
#pragma once

#include <initializer_list>
#include <iterator>

#include "hel/dependency.hpp"

namespace hel {
namespace detail {

// A root on its way to wait for others.
class deferred_root {
 public:
  HEL_HD deferred_root(root_record* record, void* frame, std::uint32_t n)
      : record_(record), root_(std::coroutine_handle<>::from_address(frame)) {
#if !defined(__CUDA_ARCH__)
    if (tasks_recorded) [[unlikely]]
      step_waits(root_, wait_kind::others, frame);
    if (cancel_state* const c = record->extra ? record->extra->token : nullptr) {
      node_ = unstarted_cancel::make_node(c, record, root_, n);
      return;
    }
#endif
    node_ = dependency_node::create(n);
    node_->root = root_;
    node_->record = record;
  }
  HEL_HD void add(const dependency& d) noexcept {
    if (node_ && d.word() && d.word()->try_wait(node_->links() + added_++)) return;
    ++over_;
    doomed_ |= d.abandoned();
  }
  HEL_HD void start() noexcept {
#if defined(__CUDA_ARCH__)
    if (!node_) return fail_later(root_, errc::out_of_frames);
#else
    if (!node_) return fail_later(root_, errc::cancelled);
#endif
    if (doomed_) node_->doom();
    if (!node_->left.arrive(over_)) return;
#if !defined(__CUDA_ARCH__)
    if (node_->cancellable()) {
      unstarted* const u = node_->cancellation();
      if (!u->arrived(u)) return;
    }
#endif
    doomed_ = node_->doomed();
    node_->destroy();
    if (doomed_)
      fail_later(root_, errc::abandoned);
    else
      enqueue(record_->home, root_);
  }

 private:
  root_record* record_;
  std::coroutine_handle<> root_;
  dependency_node* node_;  // null: the task was cancelled before it could wait; on a device: there is no memory
  std::uint32_t added_ = 0;
  std::uint32_t over_ = 1;  // spawning itself
  bool doomed_ = false;
};

HEL_HD inline exec::executor* home_to_spawn_after() {
  exec::executor* home = spawn_home();
#if !defined(__CUDA_ARCH__)
  if (!home) throw std::logic_error("hel::spawn_after is called from a task");
#endif
  return home;
}

}  // namespace detail

// `size` dependencies from `first` on: for device code, where the ranges of the standard library do not exist.
struct dependency_list {
  const dependency* first;
  std::uint32_t size;
};

template <class F, class... Args>
HEL_APART HEL_HD auto spawn_after(dependency_list after, F&& f, Args&&... args) {
  auto* root = detail::create_root(detail::home_to_spawn_after(), std::forward<F>(f), std::forward<Args>(args)...);
  join_handle handle(root);
  if (root->is_refused()) return handle;
  detail::deferred_root d(root, root->out.frame, after.size);
  for (std::uint32_t i = 0; i < after.size; ++i) d.add(after.first[i]);
  d.start();
  return handle;
}

template <class F, class... Args>
HEL_APART HEL_HD auto spawn_after(std::initializer_list<dependency> after, F&& f, Args&&... args) {
  return spawn_after(dependency_list{after.begin(), static_cast<std::uint32_t>(after.size())}, std::forward<F>(f),
                     std::forward<Args>(args)...);
}

template <class After, class F, class... Args>
requires std::is_constructible_v<dependency, After&> HEL_APART HEL_HD auto spawn_after(After&& after, F&& f,
                                                                                       Args&&... args) {
  const dependency one(after);
  return spawn_after(dependency_list{&one, 1}, std::forward<F>(f), std::forward<Args>(args)...);
}

// A range of join handles, dependencies and so on; host only.
template <class After, class F, class... Args>
requires(!std::is_constructible_v<dependency, After&> && requires(After & a) { std::begin(a); }) HEL_APART
    auto spawn_after(After&& after, F&& f, Args&&... args) {
  const std::size_t size = std::size(after);
  if (size > detail::dependency_node::most_edges) throw std::length_error("hel::spawn_after: too many dependencies");
  auto* root = detail::create_root(detail::home_to_spawn_after(), std::forward<F>(f), std::forward<Args>(args)...);
  join_handle handle(root);
  detail::deferred_root d(root, root->out.frame, static_cast<std::uint32_t>(size));
  for (auto&& one : after) d.add(dependency(one));
  d.start();
  return handle;
}

}  // namespace hel

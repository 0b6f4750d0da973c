// Cancellation: asking tasks to stop.
//
//   hel::cancel_source source;
//   auto h = hel::spawn(source.token(), f, a);     // f and whatever it awaits, as hel::spawn otherwise
//   source.cancel();                               // from anywhere, any number of times
//   auto r = co_await hel::as_expected(h);         // errc::cancelled, unless it was over before
//
// A task is cancelled at a suspension: where it is suspended when cancel() is called, or else at its next one. It fails
// there with errc::cancelled, so its frame is destroyed properly and the failure goes the way of every failure: who
// catches it with hel::as_expected may clean up, but fails again at its own next suspension.
//
// Suspensions that end by cancellation: channels, events, tickets, joins, batches, sleep_for, yield, a service request
// that still waits in the mailbox. A host call and a request that is being handled are waited for. Tasks that are run
// by hel::when_all are cancelled with the task that waits for them; spawned tasks and batches only when they were
// spawned with the token themselves. Host only so far.
#pragma once

#include "hel/detail/cancel.hpp"
#include "hel/spawn.hpp"

namespace hel {

// Copied freely.
class cancel_token {
 public:
  explicit cancel_token(detail::cancel_state* shared) noexcept : state_(shared) {}
  cancel_token(const cancel_token& o) noexcept : state_(o.state_) { state_->share(); }
  cancel_token& operator=(const cancel_token& o) noexcept {
    o.state_->share();
    state_->release();
    state_ = o.state_;
    return *this;
  }
  ~cancel_token() { state_->release(); }

  bool cancelled() const noexcept { return state_->requested.load_relaxed() != 0; }

  // For the runtime.
  detail::cancel_state* state() const noexcept { return state_; }

 private:
  detail::cancel_state* state_;
};

class cancel_source {
 public:
  cancel_source() : state_(detail::cancel_state::create()) {}
  cancel_source(const cancel_source&) = delete;
  cancel_source& operator=(const cancel_source&) = delete;
  ~cancel_source() { state_->release(); }  // cancels nothing

  void cancel() noexcept { state_->request(); }
  cancel_token token() const noexcept {
    state_->share();
    return cancel_token(state_);
  }

 private:
  detail::cancel_state* state_;
};

namespace detail {

template <>
inline constexpr bool is_spawn_option<cancel_token> = true;

}  // namespace detail

template <class F, class... Args>
HEL_APART auto spawn(const cancel_token& token, F&& f, Args&&... args) {
  exec::executor* home = detail::spawn_home();
  if (!home) throw std::logic_error("hel::spawn is called from a task; a program starts tasks with runtime::launch");
  auto* root = detail::create_root(home, std::forward<F>(f), std::forward<Args>(args)...);
  join_handle handle(root);
  detail::attach_token(*root, token.state());
  detail::enqueue(home, std::coroutine_handle<>::from_address(root->out.frame));
  return handle;
}

}  // namespace hel

#include "deterministic_executor.hpp"

#include <cstdio>

#include "hel/cpu/task_table.hpp"
#include "hel/deadlock.hpp"
#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"

namespace hel::exec {

deterministic_executor::deterministic_executor(std::uint64_t seed, step_observer* observer)
    : executor(true), random_(seed), permute_(seed != 0), observer_(observer) {}

void deterministic_executor::schedule(std::coroutine_handle<> h) noexcept {
  const std::lock_guard lock(mutex_);
  ready_.push_back(h);
  changed_.notify_all();
}

void deterministic_executor::schedule_next(std::coroutine_handle<> h) noexcept {
  const std::lock_guard lock(mutex_);
  ready_.push_front(h);
  ++urgent_;
  changed_.notify_all();
}

void deterministic_executor::calls_submitted() noexcept { schedule(serving_.handle()); }

void deterministic_executor::serve_call() {
  core::rpc_server& server = host_calls_->server();
  const std::uint32_t slot = server.next();
  if (slot == core::rpc_server::none) return;
  server.answer(slot, host_calls_->run(slot));
  while (host_request* r = host_calls_->next_answer()) schedule(r->handle());
  // Several that had waited for slots were submitted together.
  if (server.peek() != core::rpc_server::none) schedule(serving_.handle());
}

void deterministic_executor::root_started() noexcept {
  const std::lock_guard lock(mutex_);
  ++roots_;
}

void deterministic_executor::root_finished() noexcept {
  const std::lock_guard lock(mutex_);
  --roots_;
  changed_.notify_all();
}

// With the lock held and the queue not empty.
std::coroutine_handle<> deterministic_executor::take() {
  std::size_t at = 0;
  if (urgent_ > 0) {
    --urgent_;  // a transfer of control is not a choice of the schedule
  } else if (permute_) {
    // SplitMix64 (G. Steele et al., OOPSLA 2014): one addition of state per choice, the same on every platform.
    random_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = random_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    at = static_cast<std::size_t>((z ^ (z >> 31)) % ready_.size());
  }
  const auto it = ready_.begin() + static_cast<std::ptrdiff_t>(at);
  const std::coroutine_handle<> h = *it;
  ready_.erase(it);
  return h;
}

// Runs tasks until `done`. When another thread does that already, waits for it. Throws when nothing can run any more.
template <class Done>
void deterministic_executor::run_until(Done done) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.wait(lock, [&] { return !running_ || done(); });
  --waiting_;
  if (done()) return;
  running_ = true;
  executor* const outer = detail::current_executor;
  detail::current_executor = this;
  detail::register_frame_cache();
  bool stuck = false;
  while (!done()) {
    if (ready_.empty()) {
      lock.unlock();
      const bool fired = timers().advance();
      lock.lock();
      if (fired || !ready_.empty()) continue;
      stuck = true;
      break;
    }
    const std::coroutine_handle<> h = take();
    lock.unlock();
    if (detail::single_step) detail::step_resuming(h);
    if (observer_) observer_->before_resume(h);
    h.resume();
    detail::look_at_frames();
    if (detail::single_step) detail::step_resuming({});
    if (observer_) observer_->after_resume(h);
    lock.lock();
    if (waiting_ > 0) changed_.notify_all();  // this step may have ended what another thread waits for
  }
  detail::current_executor = outer;
  running_ = false;
  changed_.notify_all();
  if (!stuck) return;
  const std::size_t left = roots_;
  lock.unlock();
  if (observer_) observer_->idle();
  throw deadlock(left);
}

void deterministic_executor::wait(host_event& event) {
  run_until([&] { return event.is_set(); });
}

void deterministic_executor::drain() {
  try {
    run_until([this] { return roots_ == 0; });
  } catch (const deadlock& d) {
    // A destructor has nobody to tell. The frames stay where they are: destroying them could run code that expects a
    // runtime.
    std::fprintf(stderr, "hel: %s\n", d.what());
  }
}

}  // namespace hel::exec

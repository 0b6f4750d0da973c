#include "deterministic_executor.hpp"

#include <thread>

#include "hel/cpu/task_table.hpp"
#include "hel/deadlock.hpp"
#include "hel/detail/cancel.hpp"
#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"
#include "hel/exec/sub_executor.hpp"
#include "task_report.hpp"

namespace hel::exec {
namespace {
constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
}

deterministic_executor::deterministic_executor(std::uint64_t seed, bool lists_tasks, step_observer* observer)
    : executor(true), random_(seed), permute_(seed != 0), lists_tasks_(lists_tasks), observer_(observer) {}

void deterministic_executor::enqueue(ready r, turn when) noexcept {
  const std::lock_guard lock(mutex_);
  if (when == turn::next) {
    ready_.push_front(r);
    ++urgent_;
  } else {
    (r.part && r.part->urgent() ? high_ : ready_).push_back(r);
  }
  changed_.notify_all();
}

// Kept in the queue as it is: the observer is to see the tasks, not what carries them.
void deterministic_executor::schedule_in(sub_executor& part, std::coroutine_handle<> h, turn when) noexcept {
  part.share();
  enqueue({h, &part}, when);
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
  ++roots_started_;
}

void deterministic_executor::root_finished() noexcept {
  const std::lock_guard lock(mutex_);
  --roots_;
  changed_.notify_all();
}

// With the lock held and something ready.
deterministic_executor::ready deterministic_executor::take() {
  constexpr std::size_t others_turn = 8;  // see threads_executor::find()
  std::deque<ready>* from = &ready_;
  std::size_t at = 0;
  if (urgent_ > 0) {
    --urgent_;  // a transfer of control is not a choice of the schedule
  } else if (permute_) {
    // SplitMix64 (G. Steele et al., OOPSLA 2014): one addition of state per choice, the same on every platform.
    random_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = random_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    // A seed may choose any order: several workers could come to it whatever the priorities are.
    at = static_cast<std::size_t>((z ^ (z >> 31)) % (ready_.size() + high_.size()));
    if (at >= ready_.size()) {
      at -= ready_.size();
      from = &high_;
    }
  } else if (!high_.empty() && (ready_.empty() || ++high_taken_ % others_turn != 0)) {
    from = &high_;
  }
  const auto it = from->begin() + static_cast<std::ptrdiff_t>(at);
  const ready r = *it;
  ++resumed_;
  from->erase(it);
  return r;
}

// Runs tasks until `done`, `steps` of them at most and until `limit` of the clock. When another thread does that
// already, waits for it.
template <class Done>
deterministic_executor::end deterministic_executor::run_until(Done done, std::size_t steps,
                                                              std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.wait(lock, [&] { return !running_ || done(); });
  --waiting_;
  if (done()) return end::done;
  running_ = true;
  executor* const outer = detail::current_executor;
  detail::current_executor = this;
  detail::register_frame_cache();
  end ended = end::done;
  for (; !done(); --steps) {
    if (steps == 0) {
      ended = end::out_of_time;
      break;
    }
    if (ready_.empty() && high_.empty()) {
      lock.unlock();
      const bool fired = timers().advance(limit);
      // Another thread that cancels has taken timers away and is about to make their tasks ready.
      if (!fired)
        while (detail::requests_under_way.load_acquire() != 0) std::this_thread::yield();
      lock.lock();
      if (fired || !ready_.empty() || !high_.empty()) continue;
      ended = limit == timer_service::no_limit ? end::stuck : end::out_of_time;
      break;
    }
    const auto [h, part] = take();
    lock.unlock();
    if (part) detail::current_executor = part;
    if (detail::tasks_recorded) detail::step_resuming(h);
    if (observer_) observer_->before_resume(h);
    h.resume();
    detail::look_at_frames();
    if (detail::tasks_recorded) detail::step_resuming({});
    if (observer_) observer_->after_resume(h);
    if (part) {
      detail::current_executor = this;
      part->release();
    }
    lock.lock();
    if (waiting_ > 0) changed_.notify_all();  // this step may have ended what another thread waits for
  }
  detail::current_executor = outer;
  running_ = false;
  changed_.notify_all();
  return ended;
}

template <class Done>
void deterministic_executor::run_until(Done done) {
  if (run_until(done, no_limit, timer_service::no_limit) == end::done) return;
  if (observer_) observer_->idle();
  std::size_t left = 0;
  {
    const std::lock_guard lock(mutex_);
    left = roots_;
  }
  throw deadlock(left, lists_tasks_ ? list_tasks(&timers()) : std::string());
}

void deterministic_executor::wait(host_event& event) {
  run_until([&] { return event.is_set(); });
}

bool deterministic_executor::wait_for(host_event& event, std::chrono::nanoseconds time) {
  const auto done = [&] { return event.is_set(); };
  if (time.count() <= 0) return run_until(done, 1, timer_service::no_limit) == end::done || event.is_set();
  const std::chrono::nanoseconds now = timers().now();
  const auto limit = time < timer_service::no_limit - now ? now + time : timer_service::no_limit;
  return run_until(done, no_limit, limit) == end::done;
}

void deterministic_executor::drain() {
  run_until([this] { return roots_ == 0; });
}

statistics deterministic_executor::stats() {
  statistics s;
  add_common(s, 0);
  const std::lock_guard lock(mutex_);
  s.started = roots_started_;
  s.over = roots_started_ - roots_;
  s.resumed = resumed_;
  s.running = running_ ? 1u : 0u;
  s.shared_queue = ready_.size();
  s.urgent_queue = high_.size();
  s.ready = s.shared_queue + s.urgent_queue;
  s.workers = 1;
  return s;
}

}  // namespace hel::exec

#include "threads_executor.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"

namespace hel::exec {

constinit thread_local threads_executor::worker* threads_executor::own_worker = nullptr;

threads_executor::threads_executor(unsigned workers, unsigned host_threads) : host_(host_calls_, *this, host_threads) {
  idle_.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<worker>());
    workers_.back()->random = i * 0x9e3779b97f4a7c15u + 1;
    workers_.back()->owner = this;
  }
  count_idle();
  for (auto& w : workers_) w->thread = std::thread([this, me = w.get()] { run(*me); });
}

threads_executor::~threads_executor() {
  stopping_.store(true, std::memory_order_release);
  heavy_fence();  // a worker that does not see it on its last look is on the idle list, where the loop finds it
  for (std::size_t i = 0; i < workers_.size(); ++i) wake_one();
  for (auto& w : workers_) w->thread.join();
}

void threads_executor::schedule(std::coroutine_handle<> h) noexcept {
  if (worker* const w = self())
    w->push(h.address());
  else
    inject(injected_, h.address());
}

void threads_executor::schedule_last(std::coroutine_handle<> h) noexcept { inject(injected_, h.address()); }

void threads_executor::inject(queue& q, void* frame) noexcept {
  {
    const std::lock_guard lock(queue_mutex_);
    q.frames.push_back(frame);
    q.size.store(q.frames.size(), std::memory_order_release);
  }
  wake_one();
}

// With the lock, after a change of the list.
void threads_executor::count_idle() noexcept {
  const auto n = static_cast<std::uint32_t>(idle_.size());
  idle_count_.store(n, std::memory_order_relaxed);
  for (auto& w : workers_) w->attention.store(has_membarrier ? n : n + 1, std::memory_order_relaxed);
}

// Called after work was published.
void threads_executor::wake_one() noexcept {
  // The work must be visible before the idle workers are counted, or a worker that has just looked and is about to
  // sleep is missed. Pairs with the heavy fence in sleep().
  light_fence();
  if (idle_count_.load(std::memory_order_relaxed) == 0) return;
  worker* w = nullptr;
  {
    const std::lock_guard lock(idle_mutex_);
    if (idle_.empty()) return;
    w = idle_.back();
    idle_.pop_back();
    count_idle();
    w->wake.store(1, std::memory_order_release);
  }
  w->wake.notify_one();
}

bool threads_executor::anything_ready() const noexcept {
  if (injected_.size.load(std::memory_order_acquire) != 0 || urgent_.size.load(std::memory_order_acquire) != 0 ||
      host_calls_->any_answer())
    return true;
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& w) { return !w->deque.looks_empty(); });
}

// Sleeps until there may be work.
void threads_executor::sleep(worker& w) {
  {
    const std::lock_guard lock(idle_mutex_);
    w.wake.store(0, std::memory_order_relaxed);
    idle_.push_back(&w);
    count_idle();
  }
  heavy_fence();  // see wake_one(); and of two workers that finish the last roots, one sees both counts
  if (draining_.load(std::memory_order_acquire)) notify_drain();
  if (anything_ready() || stopping_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(idle_mutex_);
    const auto me = std::find(idle_.begin(), idle_.end(), &w);
    if (me != idle_.end()) idle_.erase(me);  // else somebody has woken this worker already
    count_idle();
    return;
  }
  w.wake.wait(0, std::memory_order_acquire);
}

void* threads_executor::take(queue& q) noexcept {
  if (q.size.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(queue_mutex_);
  if (q.frames.empty()) return nullptr;
  void* f = q.frames.front();
  q.frames.pop_front();
  q.size.store(q.frames.size(), std::memory_order_release);
  return f;
}

void* threads_executor::next_answer() noexcept {
  host_request* const r = host_calls_->next_answer();
  return r ? r->handle().address() : nullptr;
}

void* threads_executor::steal(worker& w) {
  const std::size_t n = workers_.size();
  w.random ^= w.random << 13, w.random ^= w.random >> 7, w.random ^= w.random << 17;
  for (std::size_t i = 0, at = w.random % n; i < n; ++i, at = at + 1 == n ? 0 : at + 1) {
    if (workers_[at].get() == &w) continue;
    if (void* f = workers_[at]->deque.steal()) return f;
  }
  return nullptr;
}

void* threads_executor::find(worker& w) {
  // Own work is taken last in, first out; now and then what came from outside goes first, or it could starve.
  constexpr unsigned injection_interval = 61, answer_turn = 30;
  // What is urgent goes before everything, but not always, or everything else could starve.
  constexpr unsigned others_turn = 8;
  const bool urgent = urgent_.size.load(std::memory_order_relaxed) != 0;
  if (urgent && ++w.urgent_taken % others_turn != 0) {
    if (void* f = take(urgent_)) return f;
  }
  const unsigned turn = ++w.tick % injection_interval;
  if (turn == 0) {
    if (void* f = take(injected_)) return f;
  } else if (turn == answer_turn) {
    if (void* f = next_answer()) return f;
  }
  if (void* f = w.deque.pop()) return f;
  if (void* f = next_answer()) return f;
  if (void* f = take(injected_)) return f;
  if (void* f = steal(w)) return f;
  return urgent ? take(urgent_) : nullptr;
}

void threads_executor::run(worker& w) {
  own_worker = &w;
  this_worker = &w;
  detail::current_executor = this;
  detail::register_frame_cache();
  // Waking a sleeper costs tens of microseconds, so a worker looks around for about as long before it sleeps.
  constexpr unsigned looks_before_sleep = 100;
  unsigned looks = 0;
  core::backoff wait;
  for (;;) {
    if (void* f = find(w)) {
      std::coroutine_handle<>::from_address(f).resume();
      detail::look_at_frames();
      looks = 0;
      wait = {};
    } else if (++looks < looks_before_sleep) {
      wait.pause();
    } else {
      if (stopping_.load(std::memory_order_acquire)) return;
      sleep(w);
      looks = 0;
      wait = {};
    }
  }
}

void threads_executor::root_started() noexcept {
  if (worker* const w = self()) {
    root_counters::add_one(w->roots.started);
  } else {
    outside_.started.fetch_add(1, std::memory_order_release);
  }
}

void threads_executor::root_finished() noexcept {
  if (worker* const w = self()) {
    root_counters::add_one(w->roots.finished);
  } else {  // the last step of a failure that came from another runtime's worker
    outside_.finished.fetch_add(1, std::memory_order_release);
    if (draining_.load(std::memory_order_acquire)) notify_drain();
  }
}

bool threads_executor::all_roots_over() const noexcept {
  std::uint64_t finished = outside_.finished.load(std::memory_order_acquire), started = 0;
  for (const auto& w : workers_) finished += w->roots.finished.load(std::memory_order_acquire);
  for (const auto& w : workers_) started += w->roots.started.load(std::memory_order_acquire);
  started += outside_.started.load(std::memory_order_acquire);
  return started == finished;
}

void threads_executor::notify_drain() noexcept {
  if (!all_roots_over()) return;
  const std::lock_guard lock(drain_mutex_);
  drained_.notify_all();
}

void threads_executor::drain() {
  std::unique_lock lock(drain_mutex_);
  draining_.store(true, std::memory_order_release);
  heavy_fence();  // a worker on its way to sleep sees the flag, or its last count is seen here
  bool told = false;
  while (!all_roots_over()) {
    // The time-out is for the message only: the last worker that goes idle notifies.
    if (drained_.wait_for(lock, std::chrono::seconds(10)) == std::cv_status::timeout && !told && !all_roots_over()) {
      std::fprintf(stderr, "hel: the runtime is waiting for tasks that do not finish\n");
      told = true;
    }
  }
  draining_.store(false, std::memory_order_relaxed);
}

}  // namespace hel::exec

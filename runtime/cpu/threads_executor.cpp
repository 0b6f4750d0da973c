#include "threads_executor.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"
#include "hel/exec/biased_lock.hpp"

namespace hel::exec {

namespace {
// How often a thread that waits looks whether there is a deadlock, when it is to throw one.
constexpr std::chrono::milliseconds deadlock_interval{20};
}  // namespace

constinit thread_local threads_executor::worker* threads_executor::own_worker = nullptr;

// The services' or the applications' workers as an executor of their own. What is spawned there is for the tasks'.
class threads_executor::face final : public executor {
 public:
  face(threads_executor& whole, unsigned workers)
      : executor(whole, nullptr), whole_(whole), group_(whole.add_group(workers, *this)) {
    spawn_on(whole);
    parts_ = application_parts::create(*this, nullptr);
  }
  ~face() override { parts_->release(); }

  void schedule(std::coroutine_handle<> h) noexcept override { whole_.schedule_on(group_, h); }
  void schedule_last(std::coroutine_handle<> h) noexcept override { whole_.inject(group_, group_.ready, h); }
  void schedule_urgent(std::coroutine_handle<> h) noexcept override { whole_.inject(group_, group_.urgent, h); }
  executor& at(priority p) override { return parts_->at(p); }
  void root_started() noexcept override { whole_.root_started(); }
  void root_finished() noexcept override { whole_.root_finished(); }
  void calls_submitted() noexcept override { whole_.calls_submitted(); }
  void* allocate_shared(std::size_t bytes) override { return whole_.allocate_shared(bytes); }
  void free_shared(void* p, std::size_t bytes) noexcept override { whole_.free_shared(p, bytes); }
  void wait(host_event& event) override { whole_.wait(event); }
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override { return whole_.wait_for(event, time); }
  void drain() override { whole_.drain(); }
  statistics stats() override { return whole_.stats(); }

 private:
  threads_executor& whole_;
  group& group_;
  application_parts* parts_;
};

threads_executor::threads_executor(const partition& p, unsigned host_threads)
    : host_(host_calls_, *this, host_threads) {
  tasks_ = &add_group(p.tasks, *this);
  const auto divide = [this](unsigned workers, executor*& as) {
    if (workers == 0) return;
    faces_.push_back(std::make_unique<face>(*this, workers));
    as = faces_.back().get();
  };
  divide(p.services, services_);
  divide(p.applications, applications_);
  for (auto& w : workers_) w->thread = std::thread([this, me = w.get()] { run(*me); });
}

threads_executor::~threads_executor() {
  watchdog_.reset();
  stopping_.store(true, std::memory_order_release);
  heavy_fence();  // a worker that does not see it on its last look is on the idle list, where the loop finds it
  for (auto& g : groups_) {
    while (wake_one(*g)) {
    }
  }
  for (auto& w : workers_) w->thread.join();
  if (recorded_) detail::forget_tasks(runtime());
  end_timers();
}

void threads_executor::watch(std::chrono::nanoseconds limit, bool raises) {
  raises_ = raises;
  watchdog_.emplace(static_cast<watched&>(*this), limit);
}

threads_executor::group& threads_executor::add_group(unsigned workers, executor& as) {
  groups_.push_back(std::make_unique<group>());
  group& g = *groups_.back();
  g.as = &as;
  g.idle.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) {
    workers_.push_back(std::make_unique<worker>());
    worker& w = *workers_.back();
    w.random = workers_.size() * 0x9e3779b97f4a7c15u + 1;
    w.owner = this;
    w.of = &g;
    g.workers.push_back(&w);
  }
  count_idle(g);
  return g;
}

void threads_executor::schedule_on(group& g, std::coroutine_handle<> h) noexcept {
  if (worker* const w = self(); w && w->of == &g) {
    if (recorded_) detail::step_ready(h, runtime());
    w->push(h.address());
  } else {
    inject(g, g.ready, h);
  }
}

// Only where tasks are recorded does a worker of the tasks come by here.
void threads_executor::schedule_spawned(std::coroutine_handle<> h) {
  worker* const w = self();
  if (!w || w->of != tasks_) return schedule(h);
  const std::coroutine_handle<> outer = detail::running_task();
  detail::step_ready(h, runtime());
  if (detail::frames_are_short()) w->deque.let_none_wait();
  w->spawn_ready(h.address());
  if (detail::running_task() != outer) detail::step_resuming(outer);
}

void threads_executor::inject(group& g, queue& q, std::coroutine_handle<> h) noexcept {
  if (recorded_) detail::step_ready(h, runtime());
  {
    const std::lock_guard lock(g.mutex);
    q.frames.push_back(h.address());
    q.size.store(q.frames.size(), std::memory_order_release);
  }
  wake_one(g);
}

// With the lock, after a change of the list.
void threads_executor::count_idle(group& g) noexcept {
  const auto n = static_cast<std::uint32_t>(g.idle.size());
  g.idle_count.store(n, std::memory_order_relaxed);
  for (worker* w : g.workers) w->attention.store(has_membarrier ? n : n + 1, std::memory_order_relaxed);
}

// Called after work was published. False: nobody sleeps.
bool threads_executor::wake_one(group& g) noexcept {
  // The work must be visible before the idle workers are counted, or a worker that has just looked and is about to
  // sleep is missed. Pairs with the heavy fence in sleep().
  light_fence();
  if (g.idle_count.load(std::memory_order_relaxed) == 0) return false;
  worker* w = nullptr;
  {
    const std::lock_guard lock(idle_mutex_);
    if (g.idle.empty()) return false;
    w = g.idle.back();
    g.idle.pop_back();
    count_idle(g);
    w->wake.store(1, std::memory_order_release);
  }
  w->wake.notify_one();
  return true;
}

// By a worker, in its own deque; or answers of host calls, which every worker takes.
void threads_executor::published() noexcept {
  if (worker* const w = self()) {
    wake_one(*w->of);
    return;
  }
  for (auto& g : groups_)
    if (wake_one(*g)) return;
}

bool threads_executor::anything_ready(const group& g) const noexcept {
  if (g.ready.size.load(std::memory_order_acquire) != 0 || g.urgent.size.load(std::memory_order_acquire) != 0 ||
      host_calls_->any_answer())
    return true;
  return std::any_of(g.workers.begin(), g.workers.end(), [](const worker* w) { return !w->deque.looks_empty(); });
}

// Sleeps until there may be work.
void threads_executor::sleep(worker& w) {
  group& g = *w.of;
  {
    const std::lock_guard lock(idle_mutex_);
    w.wake.store(0, std::memory_order_relaxed);
    g.idle.push_back(&w);
    count_idle(g);
  }
  heavy_fence();  // see wake_one(); and of two workers that finish the last roots, one sees both counts
  if (draining_.load(std::memory_order_acquire)) notify_drain();
  if (anything_ready(g) || stopping_.load(std::memory_order_acquire)) {
    const std::lock_guard lock(idle_mutex_);
    const auto me = std::find(g.idle.begin(), g.idle.end(), &w);
    if (me != g.idle.end()) g.idle.erase(me);  // else somebody has woken this worker already
    count_idle(g);
    return;
  }
  root_counters::add_one(w.slept);
  w.wake.wait(0, std::memory_order_acquire);
}

void* threads_executor::take(group& g, queue& q) noexcept {
  if (q.size.load(std::memory_order_acquire) == 0) return nullptr;
  const std::lock_guard lock(g.mutex);
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
  const std::vector<worker*>& from = w.of->workers;
  const std::size_t n = from.size();
  w.random ^= w.random << 13, w.random ^= w.random >> 7, w.random ^= w.random << 17;
  for (std::size_t i = 0, at = w.random % n; i < n; ++i, at = at + 1 == n ? 0 : at + 1) {
    if (from[at] == &w) continue;
    if (void* f = from[at]->deque.steal()) {
      root_counters::add_one(w.stolen);
      return f;
    }
  }
  return nullptr;
}

void* threads_executor::find(worker& w) {
  // Own work is taken last in, first out; now and then what came from outside goes first, or it could starve.
  constexpr unsigned injection_interval = 61, answer_turn = 30;
  // What is urgent goes before everything, but not always, or everything else could starve.
  constexpr unsigned others_turn = 8;
  group& g = *w.of;
  const bool urgent = g.urgent.size.load(std::memory_order_relaxed) != 0;
  if (urgent && ++w.urgent_taken % others_turn != 0) {
    if (void* f = take(g, g.urgent)) return f;
  }
  const unsigned turn = ++w.tick % injection_interval;
  if (turn == 0) {
    if (void* f = take(g, g.ready)) return f;
  } else if (turn == answer_turn) {
    if (void* f = next_answer()) return f;
  }
  if (void* f = w.deque.pop()) return f;
  if (void* f = next_answer()) return f;
  if (void* f = take(g, g.ready)) return f;
  if (void* f = steal(w)) return f;
  return urgent ? take(g, g.urgent) : nullptr;
}

void threads_executor::run(worker& w) {
  const bias_scope bias;
  own_worker = &w;
  // The others' workers spawn for another group, so they have no direct way.
  this_worker = w.of == tasks_ && !recorded_ ? &w : nullptr;
  detail::current_executor = w.of->as;
  detail::register_frame_cache();
  w.frames = &detail::local_frames;
  if (!recorded_) return run_tasks<false>(w);
  detail::own_activity = &w.activity;
  run_tasks<true>(w);
}

template <bool Recorded>
void threads_executor::run_tasks(worker& w) {
  // Waking a sleeper costs tens of microseconds, so a worker looks around for about as long before it sleeps.
  constexpr unsigned looks_before_sleep = 100;
  unsigned looks = 1;
  core::backoff wait;
  for (;;) {
    if (void* f = find(w)) {
      if (looks != 0) {
        looks = 0;
        wait = {};
        w.running.store(true, std::memory_order_relaxed);
      }
      root_counters::add_one(w.resumed);
      if constexpr (Recorded) {
        w.activity.busy.store(true, std::memory_order_relaxed);
        detail::step_resuming(std::coroutine_handle<>::from_address(f));
      }
      std::coroutine_handle<>::from_address(f).resume();
      if constexpr (Recorded) {
        detail::step_resuming({});
        w.activity.busy.store(false, std::memory_order_relaxed);
      }
      detail::look_at_frames();
    } else if (++looks < looks_before_sleep) {
      if (looks == 1) {
        w.running.store(false, std::memory_order_relaxed);
        detail::give_back_frames();
      }
      wait.pause();
    } else {
      if (stopping_.load(std::memory_order_acquire)) return;
      sleep(w);
      looks = 1;
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

statistics threads_executor::stats() {
  statistics s;
  s.over = outside_.finished.load(std::memory_order_acquire);  // before those that started: never more
  for (const auto& w : workers_) s.over += w->roots.finished.load(std::memory_order_acquire);
  for (const auto& w : workers_) {
    s.started += w->roots.started.load(std::memory_order_acquire);
    s.resumed += w->resumed.load(std::memory_order_relaxed);
    s.stolen += w->stolen.load(std::memory_order_relaxed);
    s.run_inline += w->run_inline.load(std::memory_order_relaxed);
    s.slept += w->slept.load(std::memory_order_relaxed);
    s.running += w->running.load(std::memory_order_relaxed) ? 1 : 0;
    s.worker_queues.push_back(w->deque.size());
    s.ready += s.worker_queues.back();
  }
  s.started += outside_.started.load(std::memory_order_acquire);
  for (const auto& g : groups_) {
    s.shared_queue += g->ready.size.load(std::memory_order_relaxed);
    s.urgent_queue += g->urgent.size.load(std::memory_order_relaxed);
  }
  s.ready += s.shared_queue + s.urgent_queue;
  std::size_t kept = 0;
  {
    // Nobody wakes a worker that sleeps while the lock is held.
    const std::lock_guard lock(idle_mutex_);
    for (const auto& g : groups_)
      for (const worker* w : g->idle) kept += detail::kept_bytes(*w->frames);
  }
  add_common(s, kept);
  s.workers = static_cast<unsigned>(workers_.size());
  return s;
}

std::uint64_t threads_executor::roots_left() const noexcept {
  std::uint64_t finished = outside_.finished.load(std::memory_order_acquire), started = 0;
  for (const auto& w : workers_) finished += w->roots.finished.load(std::memory_order_acquire);
  for (const auto& w : workers_) started += w->roots.started.load(std::memory_order_acquire);
  started += outside_.started.load(std::memory_order_acquire);
  return started - finished;
}

void threads_executor::notify_drain() noexcept {
  if (!all_roots_over()) return;
  const std::lock_guard lock(drain_mutex_);
  drained_.notify_all();
}

void threads_executor::wait(host_event& event) {
  if (!raises_) return event.wait();
  while (!event.wait_for(deadlock_interval)) watchdog_->check();
}

void threads_executor::drain() {
  std::unique_lock lock(drain_mutex_);
  draining_.store(true, std::memory_order_release);
  heavy_fence();  // a worker on its way to sleep sees the flag, or its last count is seen here
  // The time-out is for what follows only: the last worker that goes idle notifies.
  const std::chrono::nanoseconds interval = raises_ ? deadlock_interval : std::chrono::seconds(10);
  bool told = watchdog_.has_value();
  while (!all_roots_over()) {
    if (drained_.wait_for(lock, interval) != std::cv_status::timeout || all_roots_over()) continue;
    if (raises_) {
      lock.unlock();
      watchdog_->check();
      lock.lock();
    } else if (!told) {
      std::fprintf(stderr,
                   "hel: the runtime is waiting for tasks that do not finish (HEL_WATCHDOG=10 in the environment says "
                   "which, and for what they wait)\n");
      told = true;
    }
  }
  draining_.store(false, std::memory_order_relaxed);
}

activity threads_executor::look() {
  activity a;
  // While the lock is held nobody is woken who sleeps.
  const std::lock_guard lock(idle_mutex_);
  a.asleep = std::all_of(groups_.begin(), groups_.end(),
                         [this](const auto& g) { return g->idle.size() == g->workers.size() && !anything_ready(*g); });
  a.unfinished = roots_left();
  a.progress = outside_.started.load(std::memory_order_relaxed) + outside_.finished.load(std::memory_order_relaxed);
  for (const auto& w : workers_) {
    a.progress += w->resumed.load(std::memory_order_relaxed) + w->activity.steps.load(std::memory_order_relaxed);
    a.ready += w->deque.size();
  }
  for (const auto& g : groups_)
    a.ready += g->ready.size.load(std::memory_order_relaxed) + g->urgent.size.load(std::memory_order_relaxed);
  a.timers = timers().pending();
  a.host_calls = host_calls_->under_way();
  return a;
}

std::vector<const detail::worker_activity*> threads_executor::activities() const {
  std::vector<const detail::worker_activity*> all;
  for (const auto& w : workers_) all.push_back(&w->activity);
  return all;
}

void threads_executor::stuck() { drained_.notify_all(); }

}  // namespace hel::exec

#include "watchdog.hpp"

#include <algorithm>
#include <cstdio>

#include "hel/deadlock.hpp"
#include "task_report.hpp"

namespace hel::exec {
namespace {

std::string seconds(std::chrono::nanoseconds t) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", std::chrono::duration<double>(t).count());
  return text;
}

std::string count(std::uint64_t n, const char* one, const char* many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

}  // namespace

watchdog::watchdog(watched& w, std::chrono::nanoseconds limit)
    : watched_(w), limit_(limit), workers_(w.activities()), each_(workers_.size()), thread_([this] { watch(); }) {}

watchdog::~watchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void watchdog::watch() {
  // Often enough that a report is late by a fraction of the time, seldom enough to cost nothing.
  using std::chrono::milliseconds;
  const auto pause = std::clamp<std::chrono::nanoseconds>(limit_ / 8, milliseconds(5), milliseconds(1000));
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return stopping_; })) {
    lock.unlock();
    look();
    lock.lock();
  }
}

bool watchdog::progress::late(std::uint64_t now_at, bool busy, clock::time_point now,
                              std::chrono::nanoseconds limit) noexcept {
  if (!busy || now_at != steps) {
    *this = {now_at, now, false};
    return false;
  }
  if (reported || now - since < limit) return false;
  reported = true;
  return true;
}

// The workers that have just been found to run one task for too long.
std::vector<std::size_t> watchdog::held(clock::time_point now) {
  std::vector<std::size_t> late;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const detail::worker_activity& w = *workers_[i];
    const bool busy = w.busy.load(std::memory_order_relaxed);
    if (each_[i].late(w.steps.load(std::memory_order_acquire), busy, now, limit_)) late.push_back(i);
  }
  return late;
}

std::string watchdog::list() const {
  if (detail::tasks_recorded) return list_tasks(watched_.runtime(), workers_);
  return "  (tasks are not listed: a runtime without a watchdog lived when this one was made)\n";
}

void watchdog::look() {
  const clock::time_point now = clock::now();
  const std::vector<std::size_t> late = held(now);
  const activity a = watched_.look();
  // That the last worker has gone to sleep is news, too: only then is it a deadlock.
  const bool nothing = all_.late(2 * a.progress + (a.stuck() ? 1 : 0), a.unfinished > 0, now, limit_);
  if (!nothing && late.empty()) return;
  if (late.empty() && !a.asleep && a.ready == 0 && a.timers == 0 && a.host_calls == 0) {
    all_.reported = false;  // a worker is about to go to sleep, on a machine that has no time for it
    return;
  }

  const std::string time = seconds(limit_), tasks = list();
  std::string report;
  for (const std::size_t i : late) {
    const std::uint64_t id = workers_[i]->task.load(std::memory_order_relaxed);
    report += "hel: watchdog: worker " + std::to_string(i) + " has run " +
              (id != 0 ? "task " + std::to_string(id) : std::string("something of the runtime")) + " for " + time +
              " without a suspension\n";
  }
  if (late.empty()) {
    report += "hel: watchdog: nothing has happened for " + time + ", and " + count(a.unfinished, "task", "tasks") +
              " that " + (a.unfinished == 1 ? "was" : "were") + " launched or spawned " +
              (a.unfinished == 1 ? "is" : "are") + " not over\n  ";
    if (a.stuck())
      report += "a deadlock, unless something outside of the runtime wakes a task: nothing is ready or runs, no timer "
                "is set, no host call is under way\n";
    else
      report += std::to_string(a.ready) + " ready, " + count(a.timers, "timer", "timers") + " set, " +
                count(a.host_calls, "host call", "host calls") + " under way\n";
  }
  std::fputs((report + tasks).c_str(), stderr);
  if (!nothing || !a.stuck()) return;
  {
    const std::lock_guard lock(mutex_);
    deadlock_ = found{a, detail::tasks_recorded ? tasks : std::string()};
  }
  watched_.stuck();
}

void watchdog::check() {
  std::unique_lock lock(mutex_);
  if (!deadlock_) return;
  const activity now = watched_.look();
  if (now.progress == deadlock_->at.progress && now.stuck())
    throw deadlock(static_cast<std::size_t>(now.unfinished), deadlock_->tasks);
  deadlock_.reset();
}

}  // namespace hel::exec

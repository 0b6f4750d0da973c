// hel::runtime: the workers that run tasks, and the applications launched on them.
//
//   hel::runtime rt;                                   // as HEL_THREADS, HEL_EXECUTOR, HEL_SEED say
//   hel::runtime rt{hel::cpu{.threads = 4}};
//   hel::runtime rt{hel::cuda{}};                      // tasks run on a GPU (hel/cuda.hpp)
//   auto app = rt.launch(main_task, 42);               // starts; may be called from any thread
//   int result = app.get();                            // waits; throws what the task threw, or hel::failure
//
//   auto other = rt.launch(hel::cancellable, main_task, 43);   // any number of applications at once
//   if (!other.wait_for(1s)) other.cancel();
//   auto r = other.get_expected();                     // errc::cancelled, unless it was over before
//
//   rt.drain();                                        // waits until every task is over
//   rt.stop();                                         // drains, stops the services; nothing can be launched any more
//
// The destructor stops the runtime, then its threads; it must not run on a worker. Several runtimes can live side by
// side. Errors: std::invalid_argument for a setting that makes no sense, std::logic_error for launching or starting a
// service after stop().
//
// A child made by fork() has none of the threads. There, whatever is asked of a runtime or an application of the parent
// is refused with std::logic_error, and their destructors leave everything as it is. A runtime of
// the child's own works if no task of the parent's ran at the fork. A task that forks lets the child call exec or
// _exit.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "hel/cpu/task_table.hpp"
#include "hel/cuda.hpp"
#include "hel/deadlock.hpp"
#include "hel/detail/device_launching.hpp"
#include "hel/detail/host_wait.hpp"
#include "hel/exec/sub_executor.hpp"
#include "hel/interrupt.hpp"
#include "hel/partition.hpp"
#include "hel/priority.hpp"
#include "hel/spawn.hpp"

namespace hel {

// In front of what is launched: application::cancel() can be called. It ends all tasks of the application: the one that
// is launched, those that it spawns, directly or through others, and what they await; each as a hel::cancel_token ends
// it (hel/cancel.hpp), where it is suspended or else at its next suspension. A task that waits unstarted for others
// (hel::spawn_after) is ended without having started. Spawning costs more in such an application, and is not done by
// the worker's own queue alone.
struct cancellable_t {};
inline constexpr cancellable_t cancellable;

// threads: work stealing on several threads. deterministic: one thread at a time, namely whichever waits for an
// application; tasks run in the order in which they became ready, or in an order drawn from a seed. cuda: the resident
// kernel of a GPU.
enum class executor : std::uint8_t { threads, deterministic, cuda };

// The CPU fallback's settings. What is left out comes from the environment, then from the defaults.
//
// watchdog: when nothing has happened for that long although something that was launched or spawned is not over, or
// when a worker has run a task for that long without a suspension, a report on standard error says, once, which tasks
// there are, what each waits for and in which line (of tasks that hel-lower has not lowered: what for). It has a price
// while it is on, for every runtime of the process: tasks are recorded. So it counts from the first runtime on; if
// another one without it lives already, tasks are not listed. On the deterministic executor it adds the tasks to
// hel::deadlock.
//
// frame_limit: how much memory task frames may have, with the records of spawned tasks and with what threads keep for
// their next tasks (some KiB for each size). It is the process's, so the limit is one for all runtimes: that of the one
// that was started last, while that one lives. When it is reached hel::spawn runs the new task at once, up to its first
// suspension, on a reserve of a quarter more; when that is taken, too, the handle holds errc::out_of_frames. A call or
// launch of a task has no handle yet: it throws hel::failure, which makes the task that calls fail with that code.
struct cpu {
  using step_observer = exec::step_observer;

  unsigned threads = 0;                     // workers; 0: HEL_THREADS, else one per processor
  std::optional<hel::executor> executor{};  // not cuda; else HEL_EXECUTOR=threads|deterministic, else threads
  std::optional<std::uint64_t> seed{};      // deterministic: 0 runs in order, others permute; else HEL_SEED, else 0
  unsigned host_threads = 2;                // threads that serve hel::host, at least 1
  std::size_t frame_limit = 0;              // bytes of frames; 0: what the system has.
  // 0: off; else HEL_WATCHDOG=seconds, else off, or 10 s where `deadlock` says raise.
  std::optional<std::chrono::milliseconds> watchdog{};
  on_deadlock deadlock = on_deadlock::report;  // of the threads executor
  bool handle_sigint = false;                  // see hel/interrupt.hpp
  std::optional<hel::partition>
      partition{};  // divides the workers, instead of `threads`; the deterministic executor ignores it
};

// Of a service (hel/service.hpp).
struct service_options {
  std::size_t capacity = 64;  // requests that wait, at least 1
  bool concurrent = false;    // handles up to `capacity` requests at a time
};

template <class T>
class application;
template <class S>
class service;
template <class T>
class buffer;
namespace detail {
class service_base;

template <class F, class... Args>
auto launch_on(exec::executor& home, exec::application_owner owner, F&& f, Args&&... args);
template <class F, class... Args>
auto application_on_device(exec::executor& home, exec::device_launcher& device, F&& f, Args&&... args);
}  // namespace detail

class runtime {
  template <class F>
  static constexpr bool is_launch_option =
      std::is_same_v<std::remove_cvref_t<F>, cancellable_t> || std::is_same_v<std::remove_cvref_t<F>, priority>;

 public:
  runtime();  // hel::cpu{}, or where HEL_EXECUTOR=cuda hel::cuda{}
  explicit runtime(const cpu& settings);
  explicit runtime(const cuda& settings);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // Starts f(args...), as hel::spawn does, as a root of this runtime. In front of f: hel::cancellable, a hel::priority,
  // or both in this order.
  template <class F, class... Args>
  requires(!is_launch_option<F>) auto launch(F&& f, Args&&... args) {
    return launch(priority::normal, std::forward<F>(f), std::forward<Args>(args)...);
  }
  template <class F, class... Args>
  auto launch(priority p, F&& f, Args&&... args) {
    check_open();
    if (device_) [[unlikely]]
      return detail::application_on_device(*executor_, *device_, std::forward<F>(f), std::forward<Args>(args)...);
    return detail::launch_on(applications_->at(p), nullptr, std::forward<F>(f), std::forward<Args>(args)...);
  }
  template <class F, class... Args>
  requires(!is_launch_option<F>) auto launch(cancellable_t, F&& f, Args&&... args) {
    return launch(cancellable, priority::normal, std::forward<F>(f), std::forward<Args>(args)...);
  }
  template <class F, class... Args>
  auto launch(cancellable_t, priority p, F&& f, Args&&... args) {
    check_open();
    if (device_) refuse_on_device("hel::cancellable");
    auto* parts = exec::application_parts::create(*applications_, detail::cancel_state::create());
    exec::application_owner owner(parts);
    parts->follow(*interrupt_);
    return detail::launch_on(parts->at(p), std::move(owner), std::forward<F>(f), std::forward<Args>(args)...);
  }

  // Blocks until every application and every task is over; others may be launched meanwhile and afterwards. Not from a
  // task. On the deterministic executor it runs them, and throws hel::deadlock when nothing can run any more; so does
  // the threads executor with on_deadlock::raise.
  void drain() {
    executor_->check_process();
    executor_->drain();
  }

  // Refuses to launch anything more, drains, then stops the services in the reverse order of their start and destroys
  // them. Once: a second call does nothing. Not from a task. Throws as drain(): the runtime is open again then.
  void stop();

  // Cancels all applications that were launched as hel::cancellable, and refuses to launch anything more with a
  // hel::failure, errc::cancelled. From any thread, any number of times; does not wait. SIGINT does this, where it is
  // asked for (hel/interrupt.hpp).
  void interrupt() noexcept;
  bool interrupted() const noexcept { return interrupted_.load(std::memory_order_relaxed); }

  // Makes an S(args...) that lives until the runtime ends. Outside of tasks, before the requests.
  template <class S, class... Args>
  service<S> start_service(const service_options& options, Args&&... args);
  template <class S>
  service<S> start_service() {
    return start_service<S>(service_options{});
  }

  // Zeroed memory for n elements that tasks and host share (hel/buffer.hpp). Outside of tasks.
  template <class T>
  buffer<T> make_buffer(std::size_t n);

  // From any thread. See hel/statistics.hpp.
  statistics stats();

  hel::executor executor() const noexcept { return kind_; }
  unsigned threads() const noexcept { return threads_; }

 private:
  hel::executor kind_{};
  unsigned threads_ = 1;
  detail::frame_limit_scope frame_limit_;
  std::chrono::nanoseconds watchdog_;  // 0: none
  detail::recording_scope recording_;
  std::unique_ptr<exec::executor> executor_;
  exec::executor* applications_ = nullptr;  // of what is launched
  exec::executor* services_home_ = nullptr;
  exec::device_launcher* device_ = nullptr;  // where tasks run on a device
  std::mutex services_mutex_;                // of the vector; only stop_services() takes anything out
  std::vector<std::unique_ptr<detail::service_base>> services_;  // in the order of their start
  std::atomic<bool> closed_{false}, interrupted_{false};
  struct release_token {
    void operator()(detail::cancel_state* c) const noexcept { c->release(); }
  };
  // The tokens of all applications follow it.
  std::unique_ptr<detail::cancel_state, release_token> interrupt_{detail::cancel_state::create()};
  std::unique_ptr<exec::interrupt_listener> sigint_;

  void start(const cpu& settings);
  void start(const cuda& settings);
  void check_open() const;                                      // std::logic_error; hel::failure once interrupted
  [[noreturn]] static void refuse_on_device(const char* what);  // std::logic_error
  void stop_services() noexcept;
  void keep_service(std::unique_ptr<detail::service_base> s);
};

// What was launched. Movable; used by one thread at a time; the runtime outlives it. Dropping it leaves the application
// running to its end.
template <class T>
class [[nodiscard("get() the result or wait() for it")]] application {
 public:
  application(exec::executor & e, detail::root<T> * root, exec::application_owner owner)
      : executor_(&e), owner_(std::move(owner)), handle_(root) {}
  application(application && o) noexcept
      : executor_(o.executor_), owner_(std::move(o.owner_)), wait_(std::exchange(o.wait_, nullptr)),
        handle_(std::move(o.handle_)) {}
  application& operator=(application&& o) noexcept {
    if (this == &o) return *this;
    end_wait();
    executor_ = o.executor_;
    owner_ = std::move(o.owner_);
    wait_ = std::exchange(o.wait_, nullptr);
    handle_ = std::move(o.handle_);
    return *this;
  }
  ~application() { end_wait(); }

  // Blocks until the application is over. Not from a task.
  void wait() {
    if (awaited()) executor_->wait(wait_->event());
  }
  // The same for that long at most, in the time of hel::now(). Whether the application is over. On the deterministic
  // executor the clock moves only while nothing is ready.
  template <class Rep, class Period>
  bool wait_for(std::chrono::duration<Rep, Period> time) {
    using wide = std::chrono::duration<double, std::nano>;
    const bool longest = wide(time) >= wide(std::chrono::nanoseconds::max());
    return !awaited() ||
           executor_->wait_for(wait_->event(), longest ? std::chrono::nanoseconds::max()
                                                       : std::chrono::duration_cast<std::chrono::nanoseconds>(time));
  }
  // Whether the application is over; does not block. On the deterministic executor, where nothing runs but while
  // somebody waits, it lets the next thing run.
  bool poll() { return !awaited() || executor_->wait_for(wait_->event(), {}); }
  bool done() const noexcept { return handle_.done(); }
  bool valid() const noexcept { return handle_.valid(); }

  // Ends the tasks of an application that was launched as hel::cancellable, see there; of another one,
  // std::logic_error. Any number of times. Does not wait: get() gives errc::cancelled once the launched task has ended,
  // and runtime::drain() waits for those that it has spawned and left.
  void cancel() {
    if (!owner_.parts()) throw std::logic_error("application::cancel: it was launched without hel::cancellable");
    owner_.parts()->cancel();
  }

  // Waits, then moves the result out: once. Throws what the application threw, or hel::failure.
  T get() {
    wait();
    detail::register_frame_cache();
    return detail::join_awaiter<T, false>(handle_.root()).await_resume();
  }
  // The same with a failure as a value.
  expected<T, error> get_expected() {
    wait();
    detail::register_frame_cache();
    return detail::join_awaiter<T, true>(handle_.root()).await_resume();
  }

 private:
  // Whether there is something to wait for.
  bool awaited() {
    executor_->check_process();
    if (!valid() || (!wait_ && handle_.done())) return false;
    if (!wait_) wait_ = detail::host_wait::create();
    return wait_->start(handle_.root()->word);
  }
  void end_wait() noexcept {
    if (executor_->forked()) {
      handle_.root() = nullptr;  // the parent's
      (void)owner_.leak();
      return;
    }
    if (!wait_) return;
    detail::register_frame_cache();
    wait_->leave(wait_->event().is_set() || !valid() ? nullptr : &handle_.root()->word);
    wait_ = nullptr;
  }

  exec::executor* executor_;
  exec::application_owner owner_;
  detail::host_wait* wait_ = nullptr;
  join_handle<T> handle_;
};

template <class F, class... Args>
auto detail::application_on_device(exec::executor& home, exec::device_launcher& device, F&& f, Args&&... args) {
  return application(home, launch_on_device(home, device, std::forward<F>(f), std::forward<Args>(args)...), nullptr);
}

template <class F, class... Args>
auto detail::launch_on(exec::executor& home, exec::application_owner owner, F&& f, Args&&... args) {
  auto* root = create_root(&home, std::forward<F>(f), std::forward<Args>(args)...);
  application app(home, root, std::move(owner));
  home.schedule_last(std::coroutine_handle<>::from_address(root->out.frame));
  return app;
}

}  // namespace hel

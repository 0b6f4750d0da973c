// hel::runtime: the workers that run tasks, and the applications launched on them.
//
//   hel::runtime rt;                                   // as HEL_THREADS, HEL_EXECUTOR, HEL_SEED say
//   hel::runtime rt{hel::cpu{.threads = 4}};
//   auto app = rt.launch(main_task, 42);               // starts; may be called from any thread
//   int result = app.get();                            // waits; throws what the task threw, or hel::failure
//
// The destructor lets every task finish, then stops the threads; it must not run on a worker. Several runtimes can live
// side by side. Errors: std::invalid_argument for a setting that makes no sense.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "hel/cpu/step_observer.hpp"
#include "hel/spawn.hpp"

namespace hel {

// threads: work stealing on several threads. deterministic: one thread at a time, namely whichever waits for an
// application; tasks run in the order in which they became ready, or in an order drawn from a seed.
enum class executor : std::uint8_t { threads, deterministic };

// The CPU fallback's settings. What is left out comes from the environment, then from the defaults.
struct cpu {
  using step_observer = exec::step_observer;

  unsigned threads = 0;                     // workers; 0: HEL_THREADS, else one per processor
  std::optional<hel::executor> executor{};  // else HEL_EXECUTOR=threads|deterministic, else threads
  std::optional<std::uint64_t> seed{};      // deterministic: 0 runs in order, others permute; else HEL_SEED, else 0
  unsigned host_threads = 2;                // threads that serve hel::host, at least 1
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
}

class runtime {
 public:
  runtime() : runtime(cpu{}) {}
  explicit runtime(const cpu& settings);
  ~runtime();
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // Starts f(args...), as hel::spawn does, as a root of this runtime.
  template <class F, class... Args>
  auto launch(F&& f, Args&&... args) {
    auto* root = detail::create_root(executor_.get(), std::forward<F>(f), std::forward<Args>(args)...);
    application app(*executor_, root);
    executor_->schedule_last(std::coroutine_handle<>::from_address(root->out.frame));
    return app;
  }

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

  hel::executor executor() const noexcept { return kind_; }
  unsigned threads() const noexcept { return threads_; }

 private:
  hel::executor kind_;
  unsigned threads_;
  std::unique_ptr<exec::executor> executor_;
  std::mutex services_mutex_;
  std::vector<std::unique_ptr<detail::service_base>> services_;  // in the order of their start

  void keep_service(std::unique_ptr<detail::service_base> s);
};

// What was launched. Movable; used by one thread at a time; the runtime outlives it. Dropping it leaves the application
// running to its end.
template <class T>
class [[nodiscard("get() the result or wait() for it")]] application {
 public:
  application(exec::executor & e, detail::root<T> * root)
      : executor_(&e), wait_(std::make_unique<waiting>()), handle_(root) {}
  application(application &&) noexcept = default;
  application& operator=(application&&) noexcept = default;

  // Blocks until the application is over. Not from a task.
  void wait() {
    if (!valid() || handle_.done()) return;
    if (!wait_->registered) {
      wait_->entry.handle = wait_->event.handle();
      wait_->registered = handle_.root()->word.try_wait(&wait_->entry);
    }
    if (wait_->registered) executor_->wait(wait_->event);
  }
  bool done() const noexcept { return handle_.done(); }
  bool valid() const noexcept { return handle_.valid(); }

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
  struct waiting {
    exec::host_event event;
    detail::waiter entry;
    bool registered = false;  // also after a wait that ended with hel::deadlock
  };
  exec::executor* executor_;
  std::unique_ptr<waiting> wait_;
  join_handle<T> handle_;
};

}  // namespace hel

#include "hel/runtime.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "deterministic_executor.hpp"
#include "hel/deadlock.hpp"
#include "hel/service.hpp"
#include "runtime/resident/device_executor.hpp"
#include "stepper.hpp"
#include "threads_executor.hpp"

namespace hel {
namespace {

// Far more than any machine has; a larger figure is a typing error that would exhaust it.
constexpr unsigned max_threads = 4096;

template <class Number>
std::optional<Number> number_from_environment(const char* name, const char* expected = "a whole number") {
  const char* text = std::getenv(name);
  if (!text || !*text) return std::nullopt;
  Number value{};
  const char* end = text + std::strlen(text);
  const auto [at, problem] = std::from_chars(text, end, value);
  if (problem != std::errc() || at != end)
    throw std::invalid_argument(std::string(name) + "=" + text + ": " + expected + " is expected");
  return value;
}

unsigned checked_threads(unsigned n, const char* what) {
  if (n == 0 || n > max_threads)
    throw std::invalid_argument(std::string(what) + "=" + std::to_string(n) + ": expected 1 to " +
                                std::to_string(max_threads));
  return n;
}

unsigned choose_threads(const cpu& s) {
  if (s.threads != 0) return checked_threads(s.threads, "hel::cpu::threads");
  if (const auto n = number_from_environment<unsigned>("HEL_THREADS")) return checked_threads(*n, "HEL_THREADS");
  return std::max(1u, std::thread::hardware_concurrency());
}

// All workers are of one kind unless they are divided.
partition choose_partition(const cpu& s) {
  if (!s.partition) return {0, 0, choose_threads(s)};
  const partition& p = *s.partition;
  checked_threads(p.tasks, "hel::partition::tasks");
  if (p.services != 0) checked_threads(p.services, "hel::partition::services");
  if (p.applications != 0) checked_threads(p.applications, "hel::partition::applications");
  checked_threads(p.workers(), "the workers of hel::partition");
  if (s.threads != 0 && s.threads != p.workers())
    throw std::invalid_argument("hel::cpu::threads=" + std::to_string(s.threads) + ", but hel::cpu::partition has " +
                                std::to_string(p.workers()) + " workers");
  return p;
}

std::chrono::nanoseconds choose_watchdog(const cpu& s) {
  using namespace std::chrono_literals;
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument(what + ": expected a time, 0 for none, at most a year");
  };
  constexpr std::chrono::milliseconds longest = 24h * 365;
  if (s.watchdog) {
    if (*s.watchdog < 0ms || *s.watchdog > longest)
      refuse("hel::cpu::watchdog=" + std::to_string(s.watchdog->count()) + " ms");
    return *s.watchdog;
  }
  if (const auto seconds = number_from_environment<double>("HEL_WATCHDOG", "a number of seconds")) {
    if (!(*seconds >= 0 && *seconds <= std::chrono::duration<double>(longest).count()))
      refuse(std::string("HEL_WATCHDOG=") + std::getenv("HEL_WATCHDOG"));
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
  }
  return s.deadlock == on_deadlock::raise ? 10s : 0s;
}

executor choose_executor(const cpu& s) {
  exec::connect_stepper();
  if (exec::installed_observer) return executor::deterministic;
  if (s.executor) return *s.executor;
  const char* text = std::getenv("HEL_EXECUTOR");
  if (!text || !*text || std::strcmp(text, "threads") == 0) return executor::threads;
  if (std::strcmp(text, "deterministic") == 0) return executor::deterministic;
  if (std::strcmp(text, "cuda") == 0) return executor::threads;  // for programs that do not say, see runtime()
  throw std::invalid_argument(std::string("HEL_EXECUTOR=") + text + ": expected threads, deterministic or cuda");
}

bool device_is_wanted() {
  exec::connect_stepper();
  if (exec::installed_observer) return false;
  const char* text = std::getenv("HEL_EXECUTOR");
  return text && std::strcmp(text, "cuda") == 0;
}

const exec::device_program_entry& device_part() {
  const exec::device_program_entry* const e = exec::first_device_program;
  if (!e)
    throw device_error("hel::cuda: this program was built without a device part: build it with "
                       "hel_add_executable(... CUDA) or hel-lower --build --target cuda");
  if (e->next)
    throw device_error(std::string("hel::cuda: the program has more than one file with tasks for the device, ") +
                       e->next->name + " and " + e->name + ": they must be one file");
  return *e;
}

}  // namespace

runtime::runtime()
    : frame_limit_(0), watchdog_(device_is_wanted() ? std::chrono::nanoseconds(0) : choose_watchdog(cpu{})),
      recording_(watchdog_.count() != 0) {
  if (device_is_wanted())
    start(cuda{});
  else
    start(cpu{});
}
runtime::runtime(const cpu& s)
    : frame_limit_(s.frame_limit), watchdog_(choose_watchdog(s)), recording_(watchdog_.count() != 0) {
  start(s);
}
runtime::runtime(const cuda& s) : frame_limit_(0), watchdog_(0), recording_(false) { start(s); }

void runtime::start(const cpu& s) {
  kind_ = choose_executor(s);
  const unsigned host_threads = checked_threads(s.host_threads, "hel::cpu::host_threads");
  if (kind_ == hel::executor::threads) {
    const partition p = choose_partition(s);
    threads_ = p.workers();
    auto e = std::make_unique<exec::threads_executor>(p, host_threads);
    applications_ = &e->applications();
    services_home_ = &e->services();
    if (watchdog_.count() != 0) e->watch(watchdog_, s.deadlock == on_deadlock::raise);
    executor_ = std::move(e);
  } else if (kind_ == hel::executor::deterministic) {
    if (s.partition) choose_partition(s);  // what makes no sense is refused here, too
    const std::uint64_t seed = s.seed ? *s.seed : number_from_environment<std::uint64_t>("HEL_SEED").value_or(0);
    executor_ = std::make_unique<exec::deterministic_executor>(seed, watchdog_.count() != 0, exec::installed_observer);
    applications_ = services_home_ = executor_.get();
  } else {
    throw std::invalid_argument("hel::cpu::executor: hel::executor::cuda has settings of its own, hel::cuda");
  }
  if (s.handle_sigint)
    sigint_ = std::make_unique<exec::interrupt_listener>(
        [](void* self) noexcept { static_cast<runtime*>(self)->interrupt(); }, this);
}

void runtime::start(const cuda& s) {
  kind_ = hel::executor::cuda;
  auto e = std::make_unique<exec::device_executor>(s, device_part());
  threads_ = e->warps();
  device_ = e.get();
  executor_ = std::move(e);
  applications_ = services_home_ = executor_.get();
}

void runtime::refuse_on_device(const char* what) {
  throw std::logic_error(std::string("hel::cuda: ") + what + " is for the CPU only today");
}

runtime::~runtime() {
  if (executor_->forked()) {
    // What is here is a copy without threads: waiting for them would never end.
    for (auto& s : services_) (void)s.release();
    (void)executor_.release();
    (void)sigint_.release();
    recording_.abandon();
    return;
  }
  closed_.store(true);
  try {
    executor_->drain();
  } catch (const deadlock& d) {
    // A destructor has nobody to tell. The frames stay where they are: destroying them could run code that expects a
    // runtime.
    std::fprintf(stderr, "hel: %s\n", d.what());
  } catch (const device_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  stop_services();
  const char* wanted = std::getenv("HEL_STATS");
  if (wanted && *wanted && std::strcmp(wanted, "0") != 0) std::fputs(to_string(stats()).c_str(), stderr);
  sigint_.reset();
}

void runtime::interrupt() noexcept {
  interrupted_.store(true);
  interrupt_->request();
}

void runtime::stop() {
  executor_->check_process();
  if (closed_.exchange(true)) return;
  try {
    executor_->drain();
  } catch (...) {
    closed_.store(false);
    throw;
  }
  stop_services();
}

void runtime::check_open() const {
  executor_->check_process();
  if (closed_.load(std::memory_order_relaxed)) throw std::logic_error("the hel::runtime has been stopped");
  if (interrupted()) throw failure(errc::cancelled);
}

void runtime::stop_services() noexcept {
  while (!services_.empty()) {
    try {
      services_.back()->stop();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "hel: stopping a service failed: %s\n", e.what());
    } catch (...) {
      std::fprintf(stderr, "hel: stopping a service failed\n");
    }
    try {
      executor_->drain();  // what it has posted to others
    } catch (const deadlock& d) {
      std::fprintf(stderr, "hel: %s\n", d.what());
    }
    std::unique_ptr<detail::service_base> last;
    {
      const std::lock_guard lock(services_mutex_);
      last = std::move(services_.back());
      services_.pop_back();
    }
  }
}

statistics runtime::stats() {
  statistics s = executor_->stats();
  const std::lock_guard lock(services_mutex_);
  for (const auto& one : services_) s.services.push_back(one->depth());
  return s;
}

void runtime::keep_service(std::unique_ptr<detail::service_base> s) {
  const std::lock_guard lock(services_mutex_);
  services_.push_back(std::move(s));
}

}  // namespace hel

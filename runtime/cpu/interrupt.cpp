#include "hel/interrupt.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <semaphore.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "hel/detail/frame_memory.hpp"

namespace hel {
namespace exec {
namespace {

// What the handler reaches. A semaphore is one of the few things that it may touch.
sem_t signalled;
std::atomic<pid_t> handling_process{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void set_default() noexcept {
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  ::sigemptyset(&plain.sa_mask);
  ::sigaction(SIGINT, &plain, nullptr);
}

// The next SIGINT does what it does by default. It cannot come before: it is blocked while the handler runs.
void handle(int) {
  const int kept = errno;
  set_default();
  if (::getpid() == handling_process.load(std::memory_order_relaxed))
    ::sem_post(&signalled);
  else
    ::raise(SIGINT);  // in a child of fork(), where nobody waits
  errno = kept;
}

// Of the process. Never destroyed.
class interrupts {
 public:
  void add(const interrupt_listener& i) {
    const std::lock_guard lifetime(lifetime_);
    {
      const std::lock_guard lock(mutex_);
      all_.push_back(&i);
      if (all_.size() > 1) return;
    }
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN) return;
    ::sem_init(&signalled, 0, 0);
    stopping_.store(false);
    thread_ = std::thread([this] { serve(); });
    handling_process.store(::getpid());
    struct sigaction ours {};
    ours.sa_handler = &handle;
    ours.sa_flags = SA_RESTART;
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(SIGINT, &ours, &previous_);
  }

  void remove(const interrupt_listener& i) noexcept {
    const std::lock_guard lifetime(lifetime_);
    {
      const std::lock_guard lock(mutex_);
      std::erase(all_, &i);
      if (!all_.empty()) return;
    }
    if (!thread_.joinable()) return;  // it is ignored
    struct sigaction now {};
    ::sigaction(SIGINT, nullptr, &now);
    // Unless the program has set another handler meanwhile.
    const bool plain = (now.sa_flags & SA_SIGINFO) == 0;
    if (plain && (now.sa_handler == &handle || now.sa_handler == SIG_DFL)) ::sigaction(SIGINT, &previous_, nullptr);
    stopping_.store(true);
    ::sem_post(&signalled);
    thread_.join();
  }

 private:
  void serve() noexcept {
    detail::register_frame_cache();
    for (;;) {
      while (::sem_wait(&signalled) != 0) {
      }
      if (stopping_.load()) return;
      const std::lock_guard lock(mutex_);
      for (const interrupt_listener* i : all_) i->tell();
    }
  }

  std::mutex lifetime_;  // held while the first comes or the last goes
  std::mutex mutex_;     // of the list
  std::vector<const interrupt_listener*> all_;
  struct sigaction previous_ {};
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

interrupts& of_process() {
  static auto* all = new interrupts;
  return *all;
}

}  // namespace

interrupt_listener::interrupt_listener(tell_function tell, void* context) : tell_(tell), context_(context) {
  of_process().add(*this);
}
interrupt_listener::~interrupt_listener() { of_process().remove(*this); }

}  // namespace exec

void end_as_interrupted() {
  std::fflush(nullptr);
  exec::set_default();
  sigset_t only;
  ::sigemptyset(&only);
  ::sigaddset(&only, SIGINT);
  ::pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  ::raise(SIGINT);
  ::_exit(128 + SIGINT);  // something keeps the signal away
}

}  // namespace hel

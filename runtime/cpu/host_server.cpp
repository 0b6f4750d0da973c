#include "host_server.hpp"

#include "hel/exec/asymmetric_fence.hpp"
#include "hel/detail/frame_memory.hpp"

namespace hel::exec {

host_server::host_server(unsigned threads) : cells_(capacity), mailbox_(cells_.data(), capacity) {
  threads_.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

host_server::~host_server() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void host_server::submit(action& a) noexcept {
  // While something overflows, newcomers queue behind it: nobody is overtaken for ever.
  if (overflowing_.load_acquire() != 0 || !mailbox_.try_send(&a)) {
    const std::lock_guard lock(mutex_);
    a.chained = nullptr;
    *overflow_last_ = &a;
    overflow_last_ = &a.chained;
    overflowing_.store_release(1);
  }
  // The action must be in the mailbox before the sleepers are counted: pairs with the heavy fence in serve().
  light_fence();
  if (sleeping_.load_relaxed() != 0) {
    { const std::lock_guard lock(mutex_); }  // a server between its last look and its wait holds the lock
    work_.notify_one();
  }
}

action* host_server::take_overflow() noexcept {
  action* a = overflow_first_;
  if (!a) return nullptr;
  overflow_first_ = a->chained;
  if (!overflow_first_) {
    overflow_last_ = &overflow_first_;
    overflowing_.store_release(0);
  }
  return a;
}

action* host_server::take() noexcept {
  action* a = nullptr;
  if (mailbox_.try_receive(a)) return a;
  if (overflowing_.load_acquire() == 0) return nullptr;
  const std::lock_guard lock(mutex_);
  return take_overflow();
}

void host_server::serve() {
  // Waking a sleeper costs more than most calls, so a server looks around for about as long before it sleeps.
  constexpr unsigned looks_before_sleep = 60;
  detail::register_frame_cache();
  unsigned looks = 0;
  core::backoff pause;
  for (;;) {
    if (action* a = take()) {
      a->resume(a);
      looks = 0;
      pause = {};
      continue;
    }
    if (++looks < looks_before_sleep) {
      pause.pause();
      continue;
    }
    looks = 0;
    pause = {};
    std::unique_lock lock(mutex_);
    sleeping_.store_relaxed(sleeping_.load_relaxed() + 1);
    heavy_fence();  // see submit()
    action* a = take_overflow();
    if (!a) mailbox_.try_receive(a);
    if (!a && !stopping_) work_.wait(lock);
    sleeping_.store_relaxed(sleeping_.load_relaxed() - 1);
    if (!a && stopping_) return;
    lock.unlock();
    if (a) a->resume(a);
  }
}

}  // namespace hel::exec

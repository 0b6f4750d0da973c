// A host thread's wait for a task. It may be given up, so its block lives until the task's end is done with it.
#pragma once

#include "hel/detail/cancel.hpp"
#include "hel/exec/action.hpp"

namespace hel::detail {

// Used by one thread at a time.
class host_wait : exec::action {
 public:
  static host_wait* create() { return ::new (allocate_block(sizeof(host_wait))) host_wait(); }

  // Before event() is waited for. False: the task is over, there is nothing to wait for.
  bool start(completion& word) noexcept {
    if (started_) return true;
    references_.add(1);
    started_ = word.try_wait(&entry_);
    if (!started_) references_.arrive();
    return started_;
  }
  exec::host_event& event() noexcept { return event_; }

  // With the task's word, which still lives; null when event() is set.
  void leave(completion* word) noexcept {
    if (started_ && word && withdraw_link(*word, entry_)) references_.arrive();
    release();
  }

 private:
  host_wait() noexcept : action(&host_wait::over), references_(1) { entry_.handle = handle(); }
  static void over(void* self) noexcept {
    auto* w = static_cast<host_wait*>(static_cast<exec::action*>(self));
    w->event_.set();
    w->release();
  }
  void release() noexcept {
    if (!references_.arrive()) return;
    this->~host_wait();
    free_block_of(this, sizeof(host_wait));
  }

  core::dependency_counter<> references_;  // the waiting thread's, and the task's
  bool started_ = false;
  exec::host_event event_;
  waiter entry_;
};

}  // namespace hel::detail

// A part of an executor that shares its workers: what is made ready here runs on them, with the part as the current
// executor. So whatever a coroutine does, its later suspensions and the tasks that it spawns belong to the same part.
//
// A part costs an allocation and a call each time that something of it is made ready; what belongs to none pays
// nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "hel/core/dependency_counter.hpp"
#include "hel/exec/executor.hpp"

namespace hel::exec {

class sub_executor final : public executor {
 public:
  // `parts` owns the part. Spawned: it is for the spawned tasks, where they have workers of their own.
  sub_executor(executor& whole, detail::cancel_state* token, application_parts& parts, priority p, bool spawned)
      : executor(whole, token), whole_(whole), parts_(parts), priority_(p), spawned_(spawned) {}

  void schedule(std::coroutine_handle<> h) noexcept override { whole_.schedule_in(*this, h, turn::soon); }
  void schedule_last(std::coroutine_handle<> h) noexcept override { whole_.schedule_in(*this, h, turn::last); }
  void schedule_next(std::coroutine_handle<> h) noexcept override { whole_.schedule_in(*this, h, turn::next); }
  executor& at(priority p) override;
  void root_started() noexcept override;
  void root_finished() noexcept override;
  void calls_submitted() noexcept override { whole_.calls_submitted(); }
  void* allocate_shared(std::size_t bytes) override { return whole_.allocate_shared(bytes); }
  void free_shared(void* p, std::size_t bytes) noexcept override { whole_.free_shared(p, bytes); }
  void wait(host_event& event) override { whole_.wait(event); }
  bool wait_for(host_event& event, std::chrono::nanoseconds time) override { return whole_.wait_for(event, time); }
  void drain() override { whole_.drain(); }
  statistics stats() override { return whole_.stats(); }

  executor& whole() const noexcept { return whole_; }
  bool urgent() const noexcept { return priority_ == priority::high; }
  void share() noexcept;
  void release() noexcept;

 private:
  executor& whole_;
  application_parts& parts_;
  const priority priority_;
  const bool spawned_;
};

// What the parts of one application share. Counted: by the application's handle, by each task that is not over, and
// while something of it is ready or runs. An executor has one for its tasks that belong to no such application, too.
class application_parts {
 public:
  // Has one reference, the caller's. Takes over one of the token's; null: tasks of normal priority need no part.
  // `whole` runs what is launched.
  static application_parts* create(executor& whole, detail::cancel_state* token);

  void share() noexcept { references_.add(1); }
  void release() noexcept;
  void cancel() noexcept;
  void follow(detail::cancel_state& other);  // is cancelled with it, too
  executor& at(priority p, bool spawned = false) noexcept {
    level& l = spawned ? *spawned_ : launched_;
    if (p == priority::high) return l.high;
    return token_ ? static_cast<executor&>(l.normal) : l.normal.whole();
  }

 private:
  struct level {
    level(executor& whole, detail::cancel_state* token, application_parts& parts, bool spawned)
        : normal(whole, token, parts, priority::normal, spawned), high(whole, token, parts, priority::high, spawned) {}
    sub_executor normal, high;
  };
  application_parts(executor& whole, detail::cancel_state* token);

  core::dependency_counter<> references_;
  detail::cancel_state* const token_;
  level launched_;
  std::optional<level> spawned_;  // where spawned tasks run on other workers than `whole`
};

// A reference to the parts of an application, or to none.
class application_owner {
 public:
  application_owner(std::nullptr_t = nullptr) noexcept {}
  explicit application_owner(application_parts* p) noexcept : parts_(p) {}
  application_owner(application_owner&& o) noexcept : parts_(std::exchange(o.parts_, nullptr)) {}
  application_owner& operator=(application_owner&& o) noexcept {
    std::swap(parts_, o.parts_);
    return *this;
  }
  ~application_owner() {
    if (parts_) parts_->release();
  }
  application_parts* parts() const noexcept { return parts_; }
  application_parts* leak() noexcept { return std::exchange(parts_, nullptr); }

 private:
  application_parts* parts_ = nullptr;
};

}  // namespace hel::exec

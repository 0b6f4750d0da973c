// The threads behind hel::host: they take actions from a mailbox and run them, where they may block.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "hel/core/mailbox.hpp"
#include "hel/exec/action.hpp"

namespace hel::exec {

class host_server {
 public:
  explicit host_server(unsigned threads);
  ~host_server();  // after the last submitted action has completed

  // Any thread. Never fails and never waits: what the mailbox has no room for is chained behind it, in memory that the
  // suspended callers already hold.
  void submit(action& a) noexcept;

 private:
  using box = core::mailbox<action*, core::scope::system>;
  static constexpr std::size_t capacity = 1024;

  void serve();
  action* take() noexcept;
  action* take_overflow() noexcept;

  std::vector<box::cell> cells_;
  box mailbox_;
  std::mutex mutex_;  // of everything below
  std::condition_variable work_;
  action* overflow_first_ = nullptr;
  action** overflow_last_ = &overflow_first_;
  bool stopping_ = false;
  core::atomic<std::uint32_t> overflowing_;
  core::atomic<std::uint32_t> sleeping_;
  std::vector<std::thread> threads_;
};

}  // namespace hel::exec

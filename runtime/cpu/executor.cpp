#include "hel/exec/executor.hpp"

#include <pthread.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "hel/detail/frame_memory.hpp"
#include "hel/exec/sub_executor.hpp"

namespace hel::exec {
namespace {
constexpr std::align_val_t shared_alignment{64};

void count_forks() {
  [[maybe_unused]] static const int registered =
      pthread_atfork(nullptr, nullptr, [] { executor::process_forks.fetch_add(1, std::memory_order_relaxed); });
}
}  // namespace

executor::executor(bool virtual_time)
    : own_timers_(std::make_unique<timer_service>(virtual_time)), timers_(own_timers_.get()),
      host_calls_(std::make_shared<exec::host_calls>()), parts_(application_parts::create(*this, nullptr)) {
  count_forks();
}

void executor::throw_forked() {
  throw std::logic_error(
      "this process was forked from the one that made the hel::runtime, and has none of its threads: "
      "make a runtime after fork(), or call exec");
}

executor::~executor() {
  if (parts_) parts_->release();
}

void executor::add_common(statistics& s, std::size_t kept) {
  s.retried = timers().drawn();
  s.timers = timers().pending();
  s.host_calls = host_calls_->under_way();
  const detail::frame_use use = detail::frames_in_use();
  s.frame_bytes_kept = std::min(kept + detail::kept_bytes(detail::local_frames), use.out);
  s.frame_bytes = use.out - s.frame_bytes_kept;
  s.frame_bytes_reserved = use.reserved;
  s.frame_limit = use.limit;
}

executor& executor::at(priority p) { return parts_->at(p); }

void* executor::allocate_shared(std::size_t bytes) {
  void* const p = ::operator new(bytes, shared_alignment);
  return std::memset(p, 0, bytes);
}

void executor::free_shared(void* p, std::size_t bytes) noexcept { ::operator delete(p, bytes, shared_alignment); }

}  // namespace hel::exec

#include "hel/exec/executor.hpp"

#include <cstring>
#include <new>

#include "hel/exec/sub_executor.hpp"

namespace hel::exec {
namespace {
constexpr std::align_val_t shared_alignment{64};
}

executor::executor(bool virtual_time)
    : own_timers_(std::make_unique<timer_service>(virtual_time)), timers_(own_timers_.get()),
      host_calls_(std::make_shared<exec::host_calls>()), parts_(application_parts::create(*this, nullptr)) {}

executor::~executor() {
  if (parts_) parts_->release();
}

executor& executor::at(priority p) { return parts_->at(p); }

void* executor::allocate_shared(std::size_t bytes) {
  void* const p = ::operator new(bytes, shared_alignment);
  return std::memset(p, 0, bytes);
}

void executor::free_shared(void* p, std::size_t bytes) noexcept { ::operator delete(p, bytes, shared_alignment); }

}  // namespace hel::exec

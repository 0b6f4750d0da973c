#include "hel/exec/executor.hpp"

#include <cstring>
#include <new>

namespace hel::exec {
namespace {
constexpr std::align_val_t shared_alignment{64};
}

void* executor::allocate_shared(std::size_t bytes) {
  void* const p = ::operator new(bytes, shared_alignment);
  return std::memset(p, 0, bytes);
}

void executor::free_shared(void* p, std::size_t bytes) noexcept { ::operator delete(p, bytes, shared_alignment); }

}  // namespace hel::exec

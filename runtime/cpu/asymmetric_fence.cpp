#include "hel/exec/asymmetric_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hel::exec {

const bool has_membarrier = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;

void membarrier_all() noexcept {
  // Cannot fail once registered; if it did, ordering would be lost silently.
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) core::trap("membarrier failed");
}

}  // namespace hel::exec

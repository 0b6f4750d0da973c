// What the lanes of a group task do together, as warp.hpp and block.hpp have it in common: barriers that move data, the
// numbers of a lane, storage that a group shares.
//
// On the CPU the functions declared here are in runtime/cpu/lane_group.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "hel/annotate.hpp"
#include "hel/core/platform.hpp"
#include "hel/detail/lane_switch.hpp"

namespace hel {

inline constexpr unsigned warp_size = 32;
inline constexpr unsigned max_block_size = 1024;  // lanes of a block, as on CUDA's devices

namespace detail {

inline constexpr const char* no_group_scheduler =
    "block tasks run on the CPU only today: the resident scheduler runs warp tasks";

enum class lane_operation : std::uint8_t {
  warp_sync,  // by the lanes of a warp
  shuffle,
  ballot,
  block_sync,  // by all lanes of a group
  block_count,
  block_and,
  block_or,
};
HEL_HD constexpr bool of_whole_group(lane_operation o) noexcept { return o >= lane_operation::block_sync; }

// One lane's part in a barrier.
struct lane_exchange {
  lane_operation operation;
  bool predicate = false;
  bool abandoned = false;       // the lane waits in vain
  unsigned from = 0;            // shuffle: the lane of the warp whose value is wanted
  std::source_location where;   // of the call
  const void* value = nullptr;  // shuffle: what this lane offers, `bytes` of it
  void* out = nullptr;          // shuffle: receives lane `from`'s, unless there is no such lane; else an unsigned
  std::size_t bytes = 0;
};

// Lets the others run until all lanes have come, or cannot come any more: `abandoned`. What it returns is to be stored
// where it says.
lane_switch lane_wait(lane_exchange& e) noexcept;
[[noreturn]] void unwind_lane();

// Returns when all lanes have come. Throws, to unwind the lane, when that cannot happen any more.
inline void lane_barrier(lane_exchange& e) {
  const lane_switch back = lane_wait(e);
  *back.keep = back.context;
  if (e.abandoned) [[unlikely]]
    unwind_lane();
}

// A lane's numbers.
struct lane_view {
  unsigned rank = 0;        // in its group
  unsigned group_size = 0;  // lanes
};
// The lane that this thread runs; null: none. Atomic, though one thread's: ThreadSanitizer takes the lanes for threads.
inline constinit thread_local core::atomic<const lane_view*> current_lane{};

[[noreturn]] HEL_COLD inline void no_lane() noexcept {
  core::trap("lane functions such as hel::lane and hel::shfl belong in a group task");
}
inline const lane_view& this_lane() noexcept {
  const lane_view* l = current_lane.load_relaxed();
  if (!l) [[unlikely]]
    no_lane();
  return *l;
}

// One for each group, declaration and type; made by the lane that comes first, and there until the group is over. Its
// contents are undefined. `type` is an address that stands for the type.
void* shared_variable(const std::source_location& where, const void* type, std::size_t bytes, std::size_t alignment);
void* dynamic_shared_memory(std::size_t& bytes) noexcept;

}  // namespace detail
}  // namespace hel

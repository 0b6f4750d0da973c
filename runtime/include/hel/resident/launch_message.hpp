// What a launch carries to the device: the frame that the host has built, and where its outcome is.
#pragma once

#include <cstdint>

namespace hel::resident {

// In front of the frame's bytes in a submission's payload. The answer's payload is the value alone.
struct alignas(16) launch_message {
  std::uint32_t frame_bytes;
  std::uint32_t promise_offset;  // in the frame
  std::uint32_t result_bytes;    // of the return slot with room for the value
  std::uint32_t value_offset;    // in there
  std::uint32_t value_bytes;     // 0: void
  std::uint32_t reserved[3];
};
static_assert(sizeof(launch_message) == 32);

}  // namespace hel::resident

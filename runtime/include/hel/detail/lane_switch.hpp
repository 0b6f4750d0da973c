// What a switch between a lane's stack and its group's leaves to do for who is switched to.
#pragma once

namespace hel::detail {

// `context`, which was left, is to be stored in `*keep`.
//
// The function that leaves a lane (detail::lane_wait) ends with the switch, so that this comes back to the lane's own
// code, which does what is left. A return after a switch is mispredicted, as the processor remembers the calls of the
// other side, and costs more than the switch.
struct lane_switch {
  void* context;
  void** keep;
};

}  // namespace hel::detail

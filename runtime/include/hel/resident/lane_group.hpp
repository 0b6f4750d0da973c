// A group task on the device: 32 coroutines, one for each lane of whichever warp runs the group, that suspend together.
//
// The group is a frame of the runtime's own, so that an awaitable takes it for a task: it is made ready, awaited for
// and told of a failure like one. The warp that comes to it runs all its coroutines at once, each in the lane of its
// number, until all are over or stand at the same suspension; then the first lane awaits for all of them
// (hel/detail/collective.hpp).
//
//     caller --- await ---> group ---> frames[0 .. 31], each with its own return slot
//            <-- over -----
#pragma once

#include <cstddef>

#include "hel/detail/promise.hpp"
#include "hel/resident/state.hpp"

namespace hel::resident {

// What a device frame begins with.
struct group_frame {
  frame_header header{0, static_cast<std::uint16_t>(system_frame::group)};
  std::uint32_t reserved = 0;
  detail::promise_base promise;
};
static_assert(offsetof(group_frame, promise) == 8);

// In frame memory; made by the caller, whose awaitable owns it. Handed from warp to warp through the queues.
struct lane_group : group_frame {
  static constexpr unsigned lanes = 32;

  // What is woken when that for which the group waits has failed.
  struct failed_part {
    frame_header header{0, static_cast<std::uint16_t>(system_frame::group_failed)};
    std::uint32_t reserved = 0;
    lane_group* group;
  };

  HEL_HD lane_group(void* caller_frame, bool in_turn, void* first_slot, std::size_t slot_bytes) noexcept
      : failed{.group = this}, caller(caller_frame), slots(static_cast<unsigned char*>(first_slot)),
        stride(static_cast<std::uint32_t>(slot_bytes)), fails_in_turn(in_turn) {
    promise.link = &failed;
    promise.slot = &failure;
    failure.kind = detail::reports::to_lanes;
    failure.above = in_turn ? caller_frame : nullptr;
  }
  lane_group(const lane_group&) = delete;

  HEL_HD detail::return_slot& slot(unsigned lane) const noexcept {
    return *reinterpret_cast<detail::return_slot*>(slots + std::size_t{lane} * stride);
  }

  failed_part failed;
  detail::lanes_slot failure;
  void* caller;
  unsigned char* slots;  // of the lanes' outcomes, `stride` bytes each
  std::uint32_t stride;
  bool fails_in_turn;  // the caller, when the group fails
  bool is_failed = false;
  error err{};          // of a group that has failed
  void* frames[lanes];  // where each lane goes on
};

HEL_HD inline unsigned first_of(std::uint32_t bits) noexcept {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1;
#else
  return static_cast<unsigned>(__builtin_ctz(bits));
#endif
}
HEL_HD inline bool is_group(const frame_header& h) noexcept {
  return h.type == 0 && (h.index == static_cast<std::uint16_t>(system_frame::group) ||
                         h.index == static_cast<std::uint16_t>(system_frame::group_failed));
}

// One turn of a group, by all lanes of a warp together; Lanes as in worker.hpp. Between begin() and finish() each lane
// resumes what begin() has given it, and whatever comes of that, until nothing does.
template <class Lanes>
class group_turn {
 public:
  HEL_HD explicit group_turn(warp& w) noexcept : warp_(w) {}

  // `one` is what the queues had: a group or its failed_part.
  HEL_HD __forceinline__ void* begin(void* one) noexcept {
    const bool failed =
        static_cast<const frame_header*>(one)->index == static_cast<std::uint16_t>(system_frame::group_failed);
    auto* const g = failed ? static_cast<lane_group::failed_part*>(one)->group : static_cast<lane_group*>(one);
    const unsigned lane = Lanes::lane();
    Lanes::sync();  // all have read what the turn before has left in the warp's words
    if (lane == 0) {
      warp_.group = g;
      warp_.left = false;
    }
    void* frame = g->frames[lane];
    if (failed) {
      const error e = g->failure.err;
      Lanes::sync();  // before it is overwritten
      if (lane == 0) {
        g->failure.state = detail::outcome::none;
        g->failure.frame = nullptr;
      }
      frame = detail::fail_from(std::coroutine_handle<>::from_address(frame), e).address();
    }
    Lanes::sync();
    return frame;
  }

  // What the warp goes on with.
  HEL_HD __forceinline__ void* finish() noexcept {
    // Lanes that are over meet here with those that come to a suspension (device::lanes_meet), which learn by it that
    // they are not all: then they come here, too. A lane that is at a barrier, shuffle or ballot comes neither here nor
    // there, and nobody goes on without it.
    while (!Lanes::agree(false)) {
    }
    Lanes::sync();
    // Once the group waits, another warp may be at it: nothing of it is read any more.
    const bool left = Lanes::broadcast(Lanes::lane() == 0 && warp_.left, 0) != 0;
    if (left) return reinterpret_cast<void*>(Lanes::broadcast(reinterpret_cast<std::uintptr_t>(warp_.next), 0));
    return end(*static_cast<lane_group*>(warp_.group));
  }

 private:
  // All are over, or they do not come together any more.
  HEL_HD void* end(lane_group& g) noexcept {
    const detail::return_slot& mine = g.slot(Lanes::lane());
    const std::uint32_t over = Lanes::ballot(mine.state != detail::outcome::none);
    const std::uint32_t failed = Lanes::ballot(mine.has_failed());
    void* next = g.caller;
    if (Lanes::lane() == 0 && (failed != 0 || ~over != 0)) {
      g.is_failed = true;
      g.err = failed != 0 ? g.slot(first_of(failed)).err : error(errc::divergent_suspension);
      if (g.fails_in_turn) {
        const error e = g.err;  // the caller's end is the group's
        next = detail::fail_from(std::coroutine_handle<>::from_address(g.caller), e).address();
      }
    }
    return reinterpret_cast<void*>(Lanes::broadcast(reinterpret_cast<std::uintptr_t>(next), 0));
  }

  warp& warp_;
};

}  // namespace hel::resident

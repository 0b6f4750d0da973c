// What the lanes of a group task do together on a CUDA device, beyond the warp's own operations.
#pragma once

#if defined(__CUDACC__)

#  include "hel/cuda/lanes.hpp"
#  include "hel/resident/lane_group.hpp"

namespace hel::device {

// The group that the calling warp runs.
__device__ inline resident::lane_group& this_group() noexcept {
  return *static_cast<resident::lane_group*>(this_warp().group);
}

// By a lane whose coroutine is suspended: whether all lanes are, at the same place. Otherwise they cannot go on, and
// the group fails when it comes to its end.
__device__ inline bool lanes_meet(void* frame) noexcept {
  if (!lanes::agree(true)) return false;  // the others are over (resident::group_turn)
    // The same coroutine, of the same file, at the same suspension.
#  if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
  std::uint64_t place;
#  else
  std::uint32_t place;
#  endif
  __builtin_memcpy(&place, __builtin_assume_aligned(frame, 8), sizeof place);
  if (lanes::ballot(place == lanes::broadcast(place, 0)) != lanes::all) return false;
  this_group().frames[lanes::lane()] = frame;
  lanes::sync();  // all that the lanes have written goes with the group
  return true;
}

// By all lanes: the first has begun to wait for the group, which goes on elsewhere. `next` is what this warp goes on
// with, the group itself where there is nothing to wait for, unless it is to fail (hel/detail/promise.hpp); it is asked
// of the first lane. Whether the lanes go on here.
__device__ inline bool lanes_stay(void* next) noexcept {
  resident::warp& w = this_warp();
  const bool first = lanes::lane() == 0;
  const bool stay = lanes::broadcast(first && next == w.group && this_group().header.type == 0, 0) != 0;
  if (!stay && first) {
    w.next = next;
    w.left = true;
  }
  return stay;
}

// Of the first lane.
template <class T>
__device__ T* of_first(T* p) noexcept {
  return reinterpret_cast<T*>(lanes::broadcast(reinterpret_cast<std::uintptr_t>(p), 0));
}

}  // namespace hel::device

#endif

// Group tasks of one warp: 32 lanes that run the same coroutine, each its own instance, in step.
//
//   HEL_TASK hel::warp_task<int> sum(const int* data) {
//     int v = data[hel::lane()];
//     for (unsigned d = 16; d > 0; d /= 2) v += hel::shfl_down(v, d);
//     co_return v;
//   }
//   int total = co_await hel::warp(sum, data);    // from a task; the result is lane 0's
//
// All lanes take part in every warp_sync, shuffle, ballot and co_await, in the same order. What a lane awaits is either
// another warp_task, which runs in that lane, or something whose result is the same for all (a task, a join handle, a
// channel operation, hel::yield, hel::host, hel::warp): all lanes make one, lane 0's is awaited for the group, and each
// lane gets a copy of the result. What lanes wrote before such a suspension is visible to all of them after.
//
// The lanes are not interrupted: one that spins until another has written something may spin for ever.
//
// On the CPU the lanes are fibers of one worker, with 64 KiB of stack for what they call. Lanes that part ways are
// reported on standard error, with the task, the lines and the lanes, and the group fails with
// errc::divergent_suspension. A lane that fails or throws ends the group: lanes that wait for it are unwound, as by an
// exception. The awaiting task gets the failure, else the exception, of the lowest such lane. It gets
// errc::out_of_frames where there is no memory for the stacks.
//
// On the device each lane's coroutine has a frame of its own, and the group is run by the 32 lanes of whichever warp
// comes to it. Lanes that part ways fail with the same error, without a report; one that waits at a shuffle or a ballot to
// which another never comes waits until the watchdog ends the kernel. The objects of lanes that are given up are destroyed
// by one lane, in no order among the lanes.
//
// A cancelled group (hel/cancel.hpp) fails in all lanes at its next common suspension.
#pragma once

#include <source_location>
#include <type_traits>
#include <utility>

#include "hel/detail/group_call.hpp"

namespace hel {

// The coroutine type of a warp's lanes: awaited by hel::warp in a task, or by a lane of a warp or block.
template <class T = void>
class warp_task;

template <class T>
struct detail::lane_level<warp_task<T>> : std::true_type {
  static constexpr group_level level = group_level::warp;
};

template <class T>
class [[nodiscard("a group task does nothing until it is awaited")]] warp_task
    : public detail::owned_task<T, warp_task<T>> {
 public:
  struct promise_type : detail::lane_promise<T, warp_task<T>, detail::group_level::warp> {};
  using detail::owned_task<T, warp_task<T>>::owned_task;
};

// Runs f(args...) in 32 lanes and waits for all. Arguments are copied, once for the group and then for each lane.
template <class F, class... Args>
[[nodiscard("co_await it")]] HEL_HD auto warp(F&& f, Args&&... args) {
  using called = std::invoke_result_t<std::decay_t<F>&, std::decay_t<Args>&...>;
  static_assert(detail::lane_level<called>::value && detail::lane_level<called>::level == detail::group_level::warp,
                "hel::warp runs a function that returns a hel::warp_task");
  return detail::group_call<false, std::decay_t<F>, std::decay_t<Args>...>(
      detail::group_shape{detail::group_level::warp, warp_size, 0}, std::in_place, std::forward<F>(f),
      std::forward<Args>(args)...);
}

// The number of this lane in its warp, 0 to 31. In a group task only, as everything below.
HEL_HD inline unsigned lane() noexcept {
#if defined(__CUDA_ARCH__)
  return threadIdx.x % warp_size;
#else
  return detail::this_lane().rank % warp_size;
#endif
}

// A barrier of the warp: what any lane wrote before is visible to every lane after.
HEL_HD inline void warp_sync([[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#else
  detail::lane_exchange e{.operation = detail::lane_operation::warp_sync, .where = where};
  detail::lane_barrier(e);
#endif
}

// The value that lane `from` passed; T is trivially copyable. Who asks for a lane that there is not, in the last warp
// of a block, keeps its own.
template <class T>
HEL_HD T shfl(const T& value, unsigned from,
              [[maybe_unused]] std::source_location where = std::source_location::current()) {
  static_assert(std::is_trivially_copyable_v<T>);
  T out = value;
#if defined(__CUDA_ARCH__)
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  unsigned buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (std::size_t i = 0; i < words; ++i) buffer[i] = __shfl_sync(0xffffffffu, buffer[i], static_cast<int>(from));
  __builtin_memcpy(&out, buffer, sizeof(T));
#else
  detail::lane_exchange e{.operation = detail::lane_operation::shuffle,
                          .from = from % warp_size,
                          .where = where,
                          .value = &value,
                          .out = &out,
                          .bytes = sizeof(T)};
  detail::lane_barrier(e);
#endif
  return out;
}

// The value of the lane `delta` further up (shfl_down), further down (shfl_up), or with these bits flipped (shfl_xor);
// a lane whose source would lie outside the warp keeps its own, as with CUDA's __shfl_*_sync.
template <class T>
HEL_HD T shfl_down(const T& value, unsigned delta, std::source_location where = std::source_location::current()) {
  const unsigned from = lane() + delta;
  return shfl(value, from < warp_size ? from : lane(), where);
}
template <class T>
HEL_HD T shfl_up(const T& value, unsigned delta, std::source_location where = std::source_location::current()) {
  return shfl(value, delta <= lane() ? lane() - delta : lane(), where);
}
template <class T>
HEL_HD T shfl_xor(const T& value, unsigned bits, std::source_location where = std::source_location::current()) {
  const unsigned from = lane() ^ bits;
  return shfl(value, from < warp_size ? from : lane(), where);
}

// One bit per lane of the warp: whether its predicate holds.
HEL_HD inline std::uint32_t ballot(bool predicate,
                                   [[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, predicate);
#else
  unsigned votes = 0;
  detail::lane_exchange e{
      .operation = detail::lane_operation::ballot, .predicate = predicate, .where = where, .out = &votes};
  detail::lane_barrier(e);
  return votes;
#endif
}

}  // namespace hel

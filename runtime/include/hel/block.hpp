// Group tasks of a block: up to 1024 lanes that run the same coroutine, with a barrier and memory that they share.
//
//   HEL_TASK hel::block_task<int> sum(const int* data) {
//     hel::shared<int[8]> partial;                        // one array for the block, as __shared__ int partial[8]
//     int v = data[hel::thread_rank()];
//     for (unsigned d = 16; d > 0; d /= 2) v += hel::shfl_down(v, d);
//     if (hel::lane() == 0) partial[hel::warp_rank()] = v;
//     hel::block_sync();                                  // __syncthreads()
//     int total = 0;
//     for (int i = 0; i < 8; ++i) total += partial[i];
//     co_return total;
//   }
//   int total = co_await hel::block(256, sum, data);      // from a task; the result is lane 0's
//
// All that hel/warp.hpp says of lanes holds here, for the lanes of a block. Warp operations concern the lanes of one
// warp, lanes 32 k to 32 k + 31; the last warp may have fewer. Every lane of the block comes to every block_sync and
// co_await, by the same line: barriers in both branches of an `if` are not one barrier, and a lane that has ended is
// missed at a barrier, whatever a device would do. A block task awaits, in each lane, block tasks and warp tasks.
#pragma once

#include "hel/warp.hpp"

namespace hel {

// The coroutine type of a block's lanes: awaited by hel::block in a task, or by a lane of a block.
template <class T = void>
class block_task;

template <class T>
struct detail::lane_level<block_task<T>> : std::true_type {
  static constexpr group_level level = group_level::block;
};

template <class T>
class [[nodiscard("a group task does nothing until it is awaited")]] block_task
    : public detail::owned_task<T, block_task<T>> {
 public:
  struct promise_type : detail::lane_promise<T, block_task<T>, detail::group_level::block> {};
  using detail::owned_task<T, block_task<T>>::owned_task;
};

// How many lanes, 1 to max_block_size, and how many bytes of dynamic shared memory. A device may not have more than
// 48 KiB of shared memory for a block.
struct block_shape {
  HEL_HD constexpr block_shape(unsigned n, std::size_t bytes = 0) noexcept  // a number is a shape
      : lanes(n), dynamic_shared(bytes) {}
  unsigned lanes;
  std::size_t dynamic_shared;
};

// Runs f(args...) in that many lanes and waits for all. Arguments are copied, once for the group and then for each
// lane. Fails with errc::bad_group_size where there cannot be so many lanes.
template <class F, class... Args>
[[nodiscard("co_await it")]] HEL_HD auto block(block_shape shape, F&& f, Args&&... args) {
  using called = std::invoke_result_t<std::decay_t<F>&, std::decay_t<Args>&...>;
  static_assert(detail::lane_level<called>::value && detail::lane_level<called>::level == detail::group_level::block,
                "hel::block runs a function that returns a hel::block_task");
  return detail::group_call<false, std::decay_t<F>, std::decay_t<Args>...>(
      detail::group_shape{detail::group_level::block, shape.lanes, shape.dynamic_shared}, std::in_place,
      std::forward<F>(f), std::forward<Args>(args)...);
}

// The number of this lane in its block, and of its warp there; how many lanes the block has. In a group task only, as
// everything below. In a group of one warp, that warp is the block.
HEL_HD inline unsigned thread_rank() noexcept {
#if defined(__CUDA_ARCH__)
  return threadIdx.x;
#else
  return detail::this_lane().rank;
#endif
}
HEL_HD inline unsigned warp_rank() noexcept { return thread_rank() / warp_size; }
HEL_HD inline unsigned block_size() noexcept {
#if defined(__CUDA_ARCH__)
  return blockDim.x;
#else
  return detail::this_lane().group_size;
#endif
}

// A barrier: what any lane wrote before is visible to every lane after.
HEL_HD inline void block_sync([[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  __syncthreads();
#else
  detail::lane_exchange e{.operation = detail::lane_operation::block_sync, .where = where};
  detail::lane_barrier(e);
#endif
}

#if !defined(__CUDA_ARCH__)
namespace detail {
inline unsigned reducing_barrier(lane_operation operation, bool predicate, const std::source_location& where) {
  unsigned out = 0;
  lane_exchange e{.operation = operation, .predicate = predicate, .where = where, .out = &out};
  lane_barrier(e);
  return out;
}
}  // namespace detail
#endif

// The same, and each lane learns for how many lanes the predicate holds; whether it does for all, for any.
HEL_HD inline unsigned block_sync_count(bool predicate,
                                        [[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned>(__syncthreads_count(predicate));
#else
  return detail::reducing_barrier(detail::lane_operation::block_count, predicate, where);
#endif
}
HEL_HD inline bool block_sync_and(bool predicate,
                                  [[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  return __syncthreads_and(predicate) != 0;
#else
  return detail::reducing_barrier(detail::lane_operation::block_and, predicate, where) != 0;
#endif
}
HEL_HD inline bool block_sync_or(bool predicate,
                                 [[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  return __syncthreads_or(predicate) != 0;
#else
  return detail::reducing_barrier(detail::lane_operation::block_or, predicate, where) != 0;
#endif
}

namespace detail {
template <class T>
inline constexpr char type_mark = 0;  // its address stands for T
}  // namespace detail

// A variable that the lanes of a group share: one for each declaration and group, as a __shared__ one. Undefined at
// first, there until the group is over, and the same one when a loop comes to its declaration again. T, which may be an
// array, needs neither construction nor destruction. Lanes order their accesses by barriers.
template <class T>
class shared {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
                "a shared variable is not constructed: there would be no lane to do it");

 public:
  using element_type = std::remove_extent_t<T>;

  HEL_HD explicit shared([[maybe_unused]] std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
    core::trap(detail::no_group_scheduler);
#else
    at_ = static_cast<T*>(detail::shared_variable(where, &detail::type_mark<T>, sizeof(T), alignof(T)));
#endif
  }
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;

  HEL_HD T& get() const noexcept { return *at_; }
  HEL_HD T& operator*() const noexcept { return *at_; }
  HEL_HD T* operator->() const noexcept { return at_; }
  // Of an array. Checked unless NDEBUG is defined: the program ends.
  HEL_HD element_type& operator[](std::size_t i) const noexcept requires std::is_array_v<T> {
#if !defined(NDEBUG)
    if (i >= std::extent_v<T>) core::trap("hel::shared: out of range");
#endif
    return (*at_)[i];
  }
  HEL_HD static constexpr std::size_t size() noexcept requires std::is_array_v<T> { return std::extent_v<T>; }

 private:
  T* at_ = nullptr;
};

// The dynamic shared memory of the group, aligned to 16 bytes, as CUDA's `extern __shared__ T name[]`; null: it was
// started without any. Undefined at first.
template <class T>
HEL_HD T* dynamic_shared() noexcept {
  static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= 16);
#if defined(__CUDA_ARCH__)
  core::trap(detail::no_group_scheduler);
#else
  std::size_t bytes = 0;
  return static_cast<T*>(detail::dynamic_shared_memory(bytes));
#endif
}
// How much of it there is.
HEL_HD inline std::size_t dynamic_shared_bytes() noexcept {
#if defined(__CUDA_ARCH__)
  core::trap(detail::no_group_scheduler);
#else
  std::size_t bytes = 0;
  detail::dynamic_shared_memory(bytes);
  return bytes;
#endif
}

}  // namespace hel

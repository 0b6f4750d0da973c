// What a task reaches on a CUDA device: the resident kernel's frame memory, its ready frames and its list of frames to
// destroy.
//
// `device_state` is set before the kernel that runs tasks. Without it, a task that needs one stops with a message: no
// operation here pretends to have worked.
#pragma once

#if defined(__CUDACC__)

#  include <cstddef>

#  include "hel/resident/state.hpp"

namespace hel::device {

// Of the resident kernel. Its registers decide how many blocks an SM holds; its shared memory is for so many warps.
inline constexpr unsigned most_threads_per_block = 256;

// With -rdc=true one variable serves all files; without it each file is a program of its own.
#  if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
inline __device__ resident::state* device_state = nullptr;
#  else
static __device__ resident::state* device_state = nullptr;
#  endif

__device__ inline resident::state& current_state() noexcept {
  if (!device_state) core::trap("a task needs the resident scheduler, and none runs on this device");
  return *device_state;
}

__device__ inline resident::warp& this_warp() noexcept {
  __shared__ std::uint64_t memory[most_threads_per_block / 32 * sizeof(resident::warp) / 8];
  return reinterpret_cast<resident::warp*>(memory)[threadIdx.x / 32];
}

// Soon, on this warp, or where others have nothing to do.
__device__ inline void enqueue(void* frame) noexcept {
  resident::state& s = current_state();
  resident::warp& w = this_warp();
  if (!w.ready.push(s.number_of(frame))) s.share(frame);
}

// Behind what is ready now.
__device__ inline void enqueue_last(void* frame) noexcept { current_state().share(frame); }

// Roots are counted before they are made ready. The count of the warp that starts, or ends, one.
__device__ inline void count_root_started() noexcept {
  current_state().warps[this_warp().number].roots.fetch_add_relaxed(1);
}
__device__ inline void count_root_finished() noexcept { current_state().warps[this_warp().number].add_over(); }

// The host is to run a function. The call's frame is made ready when it has answered.
__device__ inline void submit_call(resident::device_call* c) noexcept { current_state().submit(c); }
__device__ inline core::rpc_header& call_header(std::uint32_t slot) noexcept {
  return current_state().calls.header(slot);
}
__device__ inline const void* call_result(std::uint32_t slot) noexcept { return current_state().calls.payload(slot); }
__device__ inline void release_call(std::uint32_t slot) noexcept { current_state().calls.release(slot); }

// The calling lane's way to the frame memory.
__device__ inline core::frame_cache frames() noexcept {
  return current_state().frames_of(this_warp().number, threadIdx.x % resident::warp_lanes);
}

// For a task or what belongs to it; null: there is no memory.
__device__ inline void* try_allocate(std::size_t bytes) noexcept {
  if (bytes > core::frame_store::largest_block) core::trap("a task frame is larger than 16 KiB");
  return frames().take(bytes, core::frame_store::use::tasks);
}

// For what cannot say that there is no memory.
__device__ inline void* allocate_block(std::size_t bytes) noexcept {
  if (bytes > core::frame_store::largest_block) core::trap("a block of task memory is larger than 16 KiB");
  void* const p = frames().take(bytes);
  if (!p) core::trap("out of memory for task frames: hel::cuda::frame_memory");
  return p;
}

__device__ inline void free_block(void* p, std::size_t bytes) noexcept { frames().give_back(p, bytes); }

// The suspended task fails as soon as it is resumed: what it awaits has no memory.
__device__ inline void fail_for_memory(void* frame) noexcept {
  static_cast<resident::frame_header*>(frame)->type |= resident::frame_header::no_memory;
}

// `link` is a word of the frame that nobody reads any more.
__device__ inline void retire(void* frame, void*& link) noexcept {
  if (static_cast<const resident::frame_header*>(frame)->type == 0) return;  // a group, which its caller owns
  core::atomic<std::uintptr_t>& list = this_warp().retired;
  std::uintptr_t head = list.load_relaxed();
  do {
    link = reinterpret_cast<void*>(head);
  } while (!list.cas_acq_rel(head, reinterpret_cast<std::uintptr_t>(frame)));
}

}  // namespace hel::device

#endif

// The lanes of a warp, as the resident kernel's loops want them (hel/resident/worker.hpp).
#pragma once

#if defined(__CUDACC__)

#  include <cstdint>

namespace hel::device {

struct lanes {
  static constexpr unsigned width = 32;
  static constexpr std::uint32_t all = 0xffffffffu;

  __device__ static unsigned lane() noexcept { return threadIdx.x % width; }
  __device__ static std::uint32_t below() noexcept { return (1u << lane()) - 1; }
  __device__ static std::uint32_t ballot(bool v) noexcept { return __ballot_sync(all, v); }
  // Whether all lanes say the same. No function for tasks is made of it, so that it meets none of theirs.
  __device__ static bool agree(bool v) noexcept { return __uni_sync(all, v) != 0; }
  __device__ static std::uint64_t broadcast(std::uint64_t v, unsigned from) noexcept {
    return __shfl_sync(all, static_cast<unsigned long long>(v), static_cast<int>(from));
  }
  // Orders shared and global memory among the lanes.
  __device__ static void sync() noexcept { __syncwarp(all); }
  __device__ static void nap(unsigned nanoseconds) noexcept { __nanosleep(nanoseconds); }
};

}  // namespace hel::device

#endif

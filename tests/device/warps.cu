// Operations of the lanes of a warp: shuffles, votes, reductions, matches, with whole and partial masks, in divergent
// branches and loops, with lanes that have ended; and lanes that wait for each other in memory.
#include "check.hpp"

__device__ unsigned failed;

#define DEVICE_CHECK(condition)                                                                                        \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      atomicAdd(&failed, 1u);                                                                                          \
      printf("thread %u, line %d: %s\n", threadIdx.x, __LINE__, #condition);                                           \
    }                                                                                                                  \
  } while (0)

constexpr unsigned everyone = 0xffffffff;

__global__ void shuffles() {
  const unsigned lane = threadIdx.x % 32;
  DEVICE_CHECK(__shfl_sync(everyone, lane * 3, 7) == 21);
  DEVICE_CHECK(__shfl_sync(everyone, lane, 3, 8) == (lane & ~7u) + 3);
  DEVICE_CHECK(__shfl_up_sync(everyone, lane, 4) == (lane < 4 ? lane : lane - 4));
  DEVICE_CHECK(__shfl_up_sync(everyone, lane, 1, 16) == (lane % 16 < 1 ? lane : lane - 1));
  DEVICE_CHECK(__shfl_down_sync(everyone, lane, 5) == (lane + 5 > 31 ? lane : lane + 5));
  DEVICE_CHECK(__shfl_xor_sync(everyone, lane, 9) == (lane ^ 9));
  DEVICE_CHECK(__shfl_sync(everyone, lane * 0.5, 31) == 15.5);
  DEVICE_CHECK(__shfl_sync(everyone, lane * 0.5f, 30) == 15.0f);
  DEVICE_CHECK(__shfl_xor_sync(everyone, static_cast<unsigned long long>(lane) << 40, 1) ==
               static_cast<unsigned long long>(lane ^ 1) << 40);
  unsigned sum = lane;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(everyone, sum, step);
  DEVICE_CHECK(sum == 31 * 32 / 2);
}

__global__ void votes() {
  const unsigned lane = threadIdx.x % 32;
  DEVICE_CHECK(__ballot_sync(everyone, lane % 3 == 0) == 0x49249249);
  DEVICE_CHECK(__any_sync(everyone, lane == 17) && !__any_sync(everyone, lane == 32));
  DEVICE_CHECK(__all_sync(everyone, lane < 32) && !__all_sync(everyone, lane < 31));
  DEVICE_CHECK(__reduce_add_sync(everyone, lane) == 496);
  DEVICE_CHECK(__reduce_min_sync(everyone, static_cast<int>(lane) - 5) == -5);
  DEVICE_CHECK(__reduce_max_sync(everyone, lane) == 31);
  DEVICE_CHECK(__reduce_or_sync(everyone, 1u << lane) == everyone);
  DEVICE_CHECK(__match_any_sync(everyone, lane / 8) == 0xffu << lane / 8 * 8);
  int same = 0;
  DEVICE_CHECK(__match_all_sync(everyone, 5, &same) == everyone && same);
  DEVICE_CHECK(__match_all_sync(everyone, lane, &same) == 0 && !same);
  DEVICE_CHECK(__match_any_sync(everyone, static_cast<unsigned long long>(lane & 1) << 50) ==
               (lane & 1 ? 0xaaaaaaaa : 0x55555555));
}

__global__ void partial_masks() {
  const unsigned lane = threadIdx.x % 32;
  if (lane < 10) {
    DEVICE_CHECK(__reduce_add_sync(0x3ff, lane) == 45);
    __syncwarp(0x3ff);
    DEVICE_CHECK(__ballot_sync(0x3ff, lane & 1) == 0x2aa);
  } else if (lane < 20) {
    DEVICE_CHECK(__reduce_add_sync(0xffc00, lane) == 145);
    DEVICE_CHECK(__shfl_sync(0xffc00, lane, 12) == 12);
  } else {
    return;  // ended: nobody waits for these
  }
  __syncwarp();
  DEVICE_CHECK(__popc(__ballot_sync(0xfffff, true)) == 20);
}

// Loops of different lengths, with an operation of those that are still in it.
__global__ void divergent_loops(unsigned* rounds) {
  const unsigned lane = threadIdx.x % 32;
  unsigned mask = everyone, n = 0;
  for (unsigned i = 0; i <= lane; ++i) {
    mask = __ballot_sync(mask, true) & ~((1u << i) - 1);
    ++n;
    mask = __ballot_sync(mask, i < lane);
  }
  rounds[threadIdx.x] = n;
}

// Lane 31 gives, the others wait for it in turn, without sleeping: each must let others run.
__global__ void spin(unsigned* turns) {
  __shared__ unsigned turn;
  if (threadIdx.x == 0) turn = 31;
  __syncthreads();
  volatile unsigned* const seen = &turn;
  while (*seen != threadIdx.x) {
  }
  turns[threadIdx.x] = 31 - *seen;
  *seen = threadIdx.x - 1;
}

__global__ void lock(unsigned* counter) {
  static __device__ unsigned held;
  for (int i = 0; i < 10; ++i) {
    while (atomicCAS(&held, 0u, 1u) != 0) __nanosleep(20);
    const unsigned before = *static_cast<volatile unsigned*>(counter);
    __threadfence();
    *static_cast<volatile unsigned*>(counter) = before + 1;
    __threadfence();
    atomicExch(&held, 0u);
  }
}

__global__ void active() {
  const unsigned lane = threadIdx.x % 32;
  const unsigned together = __activemask();
  DEVICE_CHECK(together >> lane & 1);
  if (lane % 2 == 0) {
    const unsigned even = __activemask();
    DEVICE_CHECK((even >> lane & 1) && (even & 0xaaaaaaaa) == 0);
    // whoever is in it has it, and can work with it
    DEVICE_CHECK(__shfl_sync(even, even, __ffs(even) - 1) == even);
  } else {
    const unsigned odd = __activemask();
    DEVICE_CHECK((odd >> lane & 1) && (odd & 0x55555555) == 0);
  }
}

// Lane 0 is waited for by lane 1 while it waits for lane 2.
__global__ void one_mask_at_a_time() {
  if (threadIdx.x == 0) {
    DEVICE_CHECK(__ballot_sync(5, true) == 5);
    DEVICE_CHECK(__ballot_sync(3, true) == 3);
  } else if (threadIdx.x == 1) {
    DEVICE_CHECK(__ballot_sync(3, true) == 3);
  } else {
    __nanosleep(1000);
    DEVICE_CHECK(__ballot_sync(5, true) == 5);
  }
}

// Barriers of parts of a block: producers arrive, consumers wait.
__global__ void named_barriers(int* out) {
  __shared__ int item[32];
  if (threadIdx.x < 32) {
    item[threadIdx.x] = threadIdx.x * 2;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x - 32] = item[63 - threadIdx.x];
  }
}

__global__ void block_votes() {
  DEVICE_CHECK(__syncthreads_count(threadIdx.x % 4 == 0) == static_cast<int>(blockDim.x) / 4);
  DEVICE_CHECK(__syncthreads_or(threadIdx.x == 70));
  DEVICE_CHECK(!__syncthreads_and(threadIdx.x != 70));
  if (threadIdx.x % 2) return;
  DEVICE_CHECK(__syncthreads_count(true) == static_cast<int>(blockDim.x) / 2);
}

int main() {
  unsigned* d = nullptr;
  CHECK_CUDA(cudaMalloc(&d, 256 * sizeof(unsigned)));
  unsigned h[256];
  shuffles<<<2, 96>>>();
  votes<<<1, 64>>>();
  partial_masks<<<1, 64>>>();
  active<<<1, 64>>>();
  one_mask_at_a_time<<<1, 3>>>();
  block_votes<<<2, 128>>>();
  divergent_loops<<<1, 64>>>(d);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 64; ++i) CHECK(h[i] == i % 32 + 1);
  spin<<<1, 32>>>(d);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 32; ++i) CHECK(h[i] == 31 - i);
  CHECK_CUDA(cudaMemset(d, 0, sizeof(unsigned)));
  lock<<<3, 64>>>(d);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 3 * 64 * 10);
  named_barriers<<<1, 64>>>(reinterpret_cast<int*>(d));
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 32; ++i) CHECK(h[i] == (31 - i) * 2);
  unsigned on_device = 1;
  CHECK_CUDA(cudaMemcpyFromSymbol(&on_device, failed, sizeof on_device));
  CHECK(on_device == 0);
  CHECK_CUDA(cudaFree(d));
  return failures();
}

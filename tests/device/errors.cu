// What goes wrong on a device reaches the host as the error that CUDA has for it, and says where. The argument chooses.
#include <cassert>
#include <cstring>
#include <string>

#include "check.hpp"

__global__ void nothing() {}

__global__ void say(int n) {
  if (threadIdx.x == 1)
    printf("%5d|%-5d|%05x|%c|%s|%.2f|%lld|%llx|%*d|%%\n", n, n, n, 'c', "text", 2.5, 1ll << 40, 0xffull << 32, 4, 7);
}

__global__ void trap_in_one(int* flag) {
  if (blockIdx.x == 1 && threadIdx.x == 5) __trap();
  while (atomicAdd(flag, 0) == 0) __nanosleep(100);  // for ever: others are ended, too
}

__global__ void assertion() { assert(threadIdx.x != 3); }

__global__ void lanes_at_different_places() {
  if (threadIdx.x < 8)
    __syncwarp();
  else
    __syncthreads();
}

__global__ void half_a_barrier() {
  if (threadIdx.x < 4) __shfl_sync(0xffu, 1, 0);  // lanes 4 to 7 never come
  __syncthreads();
}

__global__ void mask_without_itself() { __ballot_sync(~(1u << threadIdx.x), true); }

__global__ void for_ever(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int* flag = nullptr;
  if (what == "printf") {
    say<<<1, 2>>>(42);
    CHECK_CUDA(cudaDeviceSynchronize());
    return failures();
  }
  if (what == "first") {  // HEL_SIM_DEVICES=0, HEL_SIM_DRIVER=11080, HEL_SIM_FAULT=cudaMalloc: the error's name
    std::printf("%s\n", cudaGetErrorName(cudaMalloc(&flag, 4)));
    return 0;
  }
  CHECK_CUDA(cudaMalloc(&flag, sizeof(int)));
  CHECK_CUDA(cudaMemset(flag, 0, sizeof(int)));
  if (what == "launch") {  // HEL_SIM_FAULT=cudaLaunchKernel@2=701
    nothing<<<1, 1>>>();
    CHECK(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 1>>>();
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaGetLastError() == cudaSuccess);
    nothing<<<1, 2000>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    nothing<<<1, 1, 60000>>>();
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK_CUDA(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    nothing<<<1, 1, 60000>>>();
    CHECK_CUDA(cudaGetLastError());
    CHECK(cudaLaunchKernel(&what, 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidDeviceFunction);
    CHECK(cudaMemcpy(flag, &argc, sizeof argc, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaMemcpyToSymbol(&argc, &argc, sizeof argc) == cudaErrorInvalidSymbol);
    void* much = nullptr;
    CHECK(cudaMalloc(&much, std::size_t{5} << 30) == cudaErrorMemoryAllocation && !much);
    CHECK(cudaFree(&argc) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK_CUDA(cudaDeviceSynchronize());
    return failures();
  }
  if (what == "kernel") {  // HEL_SIM_FAULT=kernel@2=700
    nothing<<<1, 1>>>();
    CHECK_CUDA(cudaDeviceSynchronize());
    nothing<<<1, 1>>>();
  } else if (what == "trap") {
    trap_in_one<<<3, 32>>>(flag);
  } else if (what == "assert") {
    assertion<<<1, 32>>>();
  } else if (what == "places") {
    lanes_at_different_places<<<1, 32>>>();
  } else if (what == "barrier") {
    half_a_barrier<<<1, 32>>>();
  } else if (what == "mask") {
    mask_without_itself<<<1, 32>>>();
  } else if (what == "for-ever") {  // until HEL_SIM_TIMEOUT
    for_ever<<<2, 32>>>(flag);
    cudaFree(flag);
    return 0;
  } else if (what == "ended") {  // the process ends, and a kernel runs
    for_ever<<<2, 32>>>(flag);
    std::printf("ends\n");
    return 0;
  } else {
    return 2;
  }
  const cudaError_t e = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorName(e));
  // for good
  CHECK(cudaMemset(flag, 0, 4) == e && cudaFree(flag) == e && cudaGetLastError() == e && cudaGetLastError() == e);
  return failures();
}

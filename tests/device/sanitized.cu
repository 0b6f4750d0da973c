// What a sanitizer finds in device code: a missing barrier, and a write behind an allocation. The argument chooses.
#include <cstring>

#include "check.hpp"

__global__ void without_barrier(int* out) {
  __shared__ int item[64];
  item[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = item[63 - threadIdx.x];
}

__global__ void behind(int* out) { out[threadIdx.x + 1] = 0; }

__global__ void behind_shared(int* out) {
  extern __shared__ int item[];
  item[threadIdx.x + 1] = 0;
  out[threadIdx.x] = item[threadIdx.x];
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  int* d = nullptr;
  CHECK_CUDA(cudaMalloc(&d, 64 * sizeof(int)));
  if (std::strcmp(what, "race") == 0) without_barrier<<<1, 64>>>(d);
  if (std::strcmp(what, "memory") == 0) behind<<<1, 64>>>(d);
  if (std::strcmp(what, "shared") == 0) behind_shared<<<1, 64, 64 * sizeof(int)>>>(d);
  CHECK_CUDA(cudaDeviceSynchronize());
  return failures();
}

#include <cuda_runtime.h>

#include "separate.hpp"

__device__ int shared_counter = 100;

__device__ int add_to_counter(int n) { return shared_counter += n; }

static __global__ void local(int* out) {
  out[0] = shared_counter + 1000;
  out[1] = atomicAdd(&of_all_files, 1);
}

int run_other(int* out) {
  local<<<1, 1>>>(out);
  return cudaGetLastError();
}

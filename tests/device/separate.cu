// Separate compilation: functions and variables of another file; kernels of one name in two files.
#include "separate.hpp"

#include "check.hpp"

static __device__ int mine = 7;

static __global__ void local(int* out) {
  mine += 1;
  out[0] = add_to_counter(5);
  out[1] = atomicAdd(&of_all_files, 1);
}

int main() {
  int *d = nullptr, h[2] = {}, found = 0;
  CHECK_CUDA(cudaMalloc(&d, sizeof h));
  local<<<1, 1>>>(d);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 105 && h[1] == 0);
  CHECK(run_other(d) == 0);
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 1105 && h[1] == 1);
  CHECK_CUDA(cudaMemcpyFromSymbol(&found, of_all_files, sizeof found));
  CHECK(found == 2);
  CHECK_CUDA(cudaMemcpyFromSymbol(&found, mine, sizeof found));
  CHECK(found == 8);
  CHECK_CUDA(cudaFree(d));
  return failures();
}

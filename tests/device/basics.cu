// Launches: grids and blocks, parameters of every kind, shared memory and barriers, variables, dynamic shared memory.
#include <cstring>

#include "check.hpp"

struct big {
  int numbers[7];
  double fraction;
  char text[5];
};

__device__ int counter;
__device__ int written_by_host[4] = {1, 2, 3, 4};
__constant__ int table[4];

__global__ void parameters(int* out, char c, short s, long l, float f, double d, big b, int2 pair) {
  if (threadIdx.x != 0) return;
  out[0] = c;
  out[1] = s;
  out[2] = static_cast<int>(l >> 32);
  out[3] = static_cast<int>(f * 2);
  out[4] = static_cast<int>(d * 4);
  out[5] = b.numbers[6] + static_cast<int>(b.fraction) + b.text[4];
  out[6] = pair.x * 10 + pair.y;
  b.numbers[6] = 0;  // a copy of its own
}

__global__ void indices(unsigned* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block << 16 | thread;
}

__global__ void reverse(int* data) {
  __shared__ int copy[256];
  copy[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] = copy[255 - threadIdx.x];
}

// Every step needs the barrier of the one before.
__global__ void sum(const int* in, int* out) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = in[threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *out = partial[0];
}

__global__ void count() {
  atomicAdd(&counter, 1);
  if (threadIdx.x < 4) written_by_host[threadIdx.x] += table[threadIdx.x];
}

int main() {
  int* d = nullptr;
  CHECK_CUDA(cudaMalloc(&d, 4096 * sizeof(int)));
  int h[4096] = {};

  big b{};
  b.numbers[6] = 1000;
  b.fraction = 20.5;
  b.text[4] = 3;
  parameters<<<1, 64>>>(d, -7, 300, 5l << 32, 1.5f, 2.25, b, make_int2(4, 2));
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  const int expected[] = {-7, 300, 5, 3, 9, 1023, 42};
  for (int i = 0; i < 7; ++i) CHECK(h[i] == expected[i]);

  indices<<<dim3(2, 3, 2), dim3(8, 4, 2)>>>(reinterpret_cast<unsigned*>(d));
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 12 * 64; ++i) CHECK(static_cast<unsigned>(h[i]) == (i / 64 << 16 | i % 64));

  for (int i = 0; i < 1024; ++i) h[i] = i;
  CHECK_CUDA(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<4, 256>>>(d);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 1024; ++i) CHECK(h[i] == i / 256 * 256 + 255 - i % 256);

  int* result = nullptr;
  CHECK_CUDA(cudaMalloc(&result, sizeof(int)));
  sum<<<1, 1024, 1024 * sizeof(int)>>>(d, result);
  CHECK_CUDA(cudaMemcpy(h, result, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(h[0] == 1023 * 1024 / 2);

  const int to_add[4] = {10, 20, 30, 40};
  CHECK_CUDA(cudaMemcpyToSymbol(table, to_add, sizeof to_add));
  count<<<1, 96>>>();
  int found = 0, four[4];
  CHECK_CUDA(cudaMemcpyFromSymbol(&found, counter, sizeof found));
  CHECK(found == 96);
  CHECK_CUDA(cudaMemcpyFromSymbol(four, written_by_host, sizeof four));
  for (int i = 0; i < 4; ++i) CHECK(four[i] == i + 1 + 10 * (i + 1));
  void* address = nullptr;
  CHECK_CUDA(cudaGetSymbolAddress(&address, counter));
  CHECK_CUDA(cudaMemset(address, 0, sizeof(int)));
  CHECK_CUDA(cudaMemcpyFromSymbol(&found, counter, sizeof found));
  CHECK(found == 0);

  CHECK_CUDA(cudaFree(result));
  CHECK_CUDA(cudaFree(d));
  return failures();
}

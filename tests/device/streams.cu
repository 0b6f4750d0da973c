// Streams, events, the default stream, residency and lazy loading.
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace std::chrono_literals;

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) __nanosleep(1000);
}
__global__ void raise(int* flag) { atomicExch(flag, 1); }
__global__ void append(int* log, int what) { log[atomicAdd(log, 1) + 1] = what; }
__global__ void meet(unsigned* arrived, unsigned everybody) {  // all blocks at once
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < everybody) __nanosleep(1000);
  }
  __syncthreads();
}
__global__ void use_much_shared() {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 1;
}
__global__ void loaded_late() {}

int main() {
  int *flag = nullptr, *on_host = nullptr, *log = nullptr;
  CHECK_CUDA(cudaHostAlloc(&on_host, sizeof(int), cudaHostAllocMapped));
  CHECK_CUDA(cudaHostGetDevicePointer(&flag, on_host, 0));
  CHECK_CUDA(cudaMalloc(&log, 64 * sizeof(int)));
  CHECK_CUDA(cudaMemset(log, 0, 64 * sizeof(int)));
  const auto set = [on_host](int value) { std::atomic_ref<int>(*on_host).store(value); };
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, wait_for));
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, raise));
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, append));
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, meet));

  cudaStream_t a, b, free_running;
  CHECK_CUDA(cudaStreamCreate(&a));
  CHECK_CUDA(cudaStreamCreate(&b));
  CHECK_CUDA(cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking));
  cudaEvent_t start, end;
  CHECK_CUDA(cudaEventCreate(&start));
  CHECK_CUDA(cudaEventCreate(&end));

  // a waits for the host, b does not; the default stream comes after both; another waits for nobody.
  set(0);
  wait_for<<<1, 32, 0, a>>>(flag);
  append<<<1, 1, 0, a>>>(log, 1);
  append<<<1, 1, 0, b>>>(log, 2);
  append<<<1, 1>>>(log, 3);
  append<<<1, 1, 0, b>>>(log, 4);
  append<<<1, 1, 0, free_running>>>(log, 5);
  CHECK_CUDA(cudaStreamSynchronize(free_running));
  CHECK(cudaStreamQuery(a) == cudaErrorNotReady);
  CHECK(cudaStreamQuery(b) == cudaErrorNotReady);
  CHECK(cudaGetLastError() == cudaSuccess);
  set(1);
  CHECK_CUDA(cudaDeviceSynchronize());
  int h[6];
  CHECK_CUDA(cudaMemcpy(h, log, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 5);
  int place[6] = {};
  for (int i = 1; i < 6; ++i)
    if (h[i] >= 1 && h[i] <= 5) place[h[i]] = i;
  CHECK(place[1] < place[3] && place[2] < place[3] && place[3] < place[4] && place[5] > 0 && place[5] < place[1]);

  // An event holds up another stream; copies are in order.
  CHECK_CUDA(cudaMemset(log, 0, 64 * sizeof(int)));
  set(0);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaEventRecord(start, a));
  wait_for<<<1, 1, 0, a>>>(flag);
  CHECK_CUDA(cudaEventRecord(end, a));
  CHECK_CUDA(cudaStreamWaitEvent(b, end, 0));
  append<<<1, 1, 0, b>>>(log, 9);
  CHECK(cudaEventQuery(start) == cudaSuccess || cudaEventSynchronize(start) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaErrorNotReady);
  std::this_thread::sleep_for(5ms);
  CHECK(cudaStreamQuery(b) == cudaErrorNotReady);
  set(1);
  CHECK_CUDA(cudaEventSynchronize(end));
  float ms = 0;
  CHECK_CUDA(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms >= 4);
  CHECK_CUDA(cudaMemcpyAsync(h, log, 2 * sizeof(int), cudaMemcpyDeviceToHost, b));
  CHECK_CUDA(cudaStreamSynchronize(b));
  CHECK(h[0] == 1 && h[1] == 9);
  std::atomic<int> called{0};
  CHECK_CUDA(cudaLaunchHostFunc(
      b, [](void* p) { static_cast<std::atomic<int>*>(p)->store(1); }, &called));
  CHECK_CUDA(cudaStreamSynchronize(b));
  CHECK(called == 1);

  // As many blocks as fit meet; one more is refused to whoever asks for it.
  cudaDeviceProp p;
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  int each = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, 64, 0));
  const unsigned fit = static_cast<unsigned>(each * p.multiProcessorCount);
  CHECK(fit == 4);
  unsigned* arrived = reinterpret_cast<unsigned*>(log);
  CHECK_CUDA(cudaMemset(log, 0, sizeof(int)));
  meet<<<fit, 64>>>(arrived, fit);
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned everybody = fit + 1;
  void* arguments[] = {&arrived, &everybody};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&meet), fit + 1, 64, arguments, 0, nullptr) ==
        cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, 2048, 0));
  CHECK(each == 0);
  CHECK_CUDA(cudaFuncSetAttribute(use_much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, use_much_shared, 64, 200 * 1024));
  CHECK(each == 1);

  // A kernel's first launch waits for the kernels that run; so does cudaFree.
  int* other = nullptr;
  CHECK_CUDA(cudaMalloc(&other, 4));
  set(0);
  wait_for<<<1, 1, 0, free_running>>>(flag);
  std::atomic<int> passed{0};
  std::thread late([&] {
    loaded_late<<<1, 1, 0, a>>>();
    passed += 1;
  });
  std::thread freeing([&] {
    cudaFree(other);
    passed += 1;
  });
  std::this_thread::sleep_for(20ms);
  CHECK(passed == 0);
  set(1);
  late.join();
  freeing.join();
  CHECK(passed == 2);

  CHECK_CUDA(cudaEventDestroy(start));
  CHECK_CUDA(cudaEventDestroy(end));
  for (cudaStream_t s : {a, b, free_running}) CHECK_CUDA(cudaStreamDestroy(s));
  CHECK_CUDA(cudaFree(log));
  CHECK_CUDA(cudaFreeHost(on_host));
  return failures();
}

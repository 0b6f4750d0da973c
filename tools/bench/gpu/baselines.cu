// What CUDA itself takes for what tasks do: launches and waits from the host, launches of a graph and from a kernel, a
// pipeline with a kernel for each stage. The peers of the figures of resident.cpp.
//
//   baselines [--quick]            one line of JSON for each figure; exit code 1 and a message where a call fails
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "tools/bench/gpu/figures.hpp"

namespace {

using namespace hel_bench::gpu;

void check(cudaError_t e, const char* call) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "baselines: %s: %s\n", call, cudaGetErrorString(e));
  std::exit(1);
}
#define CHECKED(call) check(call, #call)

__global__ void nothing() {}

// A stage of the pipeline: takes items from one buffer, writes to the next.
__global__ void produce(std::uint64_t* out, std::uint64_t first, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = first + i;
}
__global__ void consume(const std::uint64_t* in, unsigned long long* sum, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, static_cast<unsigned long long>(in[i]));
}

#if defined(__CUDACC_RDC__)  // launches from kernels need separate compilation and libcudadevrt
__global__ void launch_children(unsigned n) {
  for (unsigned i = 0; i < n; ++i) nothing<<<1, 1, 0, cudaStreamFireAndForget>>>();
}
#endif

void launch_and_wait(cudaStream_t s, unsigned repetitions) {
  print_figure("submit", "cudaLaunchKernel and wait",
               measure(repetitions,
                       [s] {
                         const double from = now_ns();
                         nothing<<<1, 1, 0, s>>>();
                         CHECKED(cudaStreamSynchronize(s));
                         return now_ns() - from;
                       }),
               "ns");
}

void launch_many(cudaStream_t s, unsigned repetitions) {
  constexpr unsigned n = 1000;
  print_figure("submit-many", "cudaLaunchKernel",
               measure(repetitions,
                       [s] {
                         const double from = now_ns();
                         for (unsigned i = 0; i < n; ++i) nothing<<<1, 1, 0, s>>>();
                         CHECKED(cudaStreamSynchronize(s));
                         return (now_ns() - from) / n;
                       }),
               "ns per launch");
}

void launch_graph(cudaStream_t s, unsigned repetitions) {
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CHECKED(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  nothing<<<1, 1, 0, s>>>();
  CHECKED(cudaStreamEndCapture(s, &graph));
  CHECKED(cudaGraphInstantiate(&ready, graph, 0));
  print_figure("submit", "cudaGraphLaunch and wait",
               measure(repetitions,
                       [s, ready] {
                         const double from = now_ns();
                         CHECKED(cudaGraphLaunch(ready, s));
                         CHECKED(cudaStreamSynchronize(s));
                         return now_ns() - from;
                       }),
               "ns");
  CHECKED(cudaGraphExecDestroy(ready));
  CHECKED(cudaGraphDestroy(graph));
}

void launch_from_kernel([[maybe_unused]] cudaStream_t s, [[maybe_unused]] unsigned repetitions) {
#if defined(__CUDACC_RDC__)
  constexpr unsigned n = 1000;
  print_figure("spawn", "child kernel",
               measure(repetitions,
                       [s] {
                         const double from = now_ns();
                         launch_children<<<1, 1, 0, s>>>(n);
                         CHECKED(cudaStreamSynchronize(s));
                         CHECKED(cudaGetLastError());
                         return (now_ns() - from) / n;
                       }),
               "ns per launch");
#endif
}

// As many items as the channel of resident.cpp takes, so many in each round.
void pipeline(cudaStream_t s, unsigned repetitions, unsigned items) {
  for (const unsigned batch : {1024u, 16384u}) {
    std::uint64_t* buffer;
    unsigned long long* sum;
    CHECKED(cudaMalloc(&buffer, batch * sizeof *buffer));
    CHECKED(cudaMalloc(&sum, sizeof *sum));
    print_figure("producer-consumer", "a kernel for each stage, " + std::to_string(batch) + " items",
                 measure(repetitions,
                         [=] {
                           CHECKED(cudaMemsetAsync(sum, 0, sizeof *sum, s));
                           CHECKED(cudaStreamSynchronize(s));
                           const double from = now_ns();
                           for (unsigned at = 0; at < items; at += batch) {
                             const unsigned n = std::min(batch, items - at);
                             produce<<<(n + 255) / 256, 256, 0, s>>>(buffer, at, n);
                             consume<<<(n + 255) / 256, 256, 0, s>>>(buffer, sum, n);
                           }
                           CHECKED(cudaStreamSynchronize(s));
                           return (now_ns() - from) / items;
                         }),
                 "ns per item");
    CHECKED(cudaFree(buffer));
    CHECKED(cudaFree(sum));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const unsigned repetitions = quick ? 3 : 31;
  cudaStream_t s;
  CHECKED(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  launch_and_wait(s, quick ? 3 : 301);
  launch_many(s, repetitions);
  launch_graph(s, quick ? 3 : 301);
  launch_from_kernel(s, repetitions);
  pipeline(s, repetitions, quick ? 4096 : 1u << 18);
  CHECKED(cudaStreamDestroy(s));
}

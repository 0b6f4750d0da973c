// The device part of a program: the resident kernel over the tasks of a file, and what the runtime needs to start it.
//
// hel-lower ends each .cu with HEL_DEVICE_PROGRAM(unit), at global scope; `unit` has the switches over the file's
// device frames. With -rdc=true that is no program yet: hel-lower --registry makes one of all files, with
// HEL_DEVICE_REGISTRY; without that file the program does not link. Only plain calls of the CUDA runtime's C interface
// here: each is checked, and its name is in the error.
#pragma once

#if defined(HEL_NO_DEVICE_PROGRAM)  // the tasks alone, as tests look at them
#  define HEL_DEVICE_PROGRAM(unit)
#  define HEL_DEVICE_REGISTRY(unit)
#elif defined(__CUDACC__)

#  include <cuda_runtime_api.h>

#  include <cstring>
#  include <memory>
#  include <string>
#  include <vector>

#  include "hel/abi/device.hpp"
#  include "hel/cuda/lanes.hpp"
#  include "hel/error.hpp"
#  include "hel/exec/device_program.hpp"
#  include "hel/resident/service.hpp"
#  include "hel/resident/worker.hpp"

namespace hel::device {

// What the worker calls, over the switches of a unit.
template <class Unit>
struct tasks {
  static constexpr bool groups = Unit::groups;
  __device__ static void* resume(void* frame) { return Unit::resume(frame); }
  __device__ static void destroy(void* frame) { Unit::destroy(frame); }
  __device__ static void*& link(void* frame) noexcept { return detail::promise_of(frame).link; }
};

// One thread, before resident_kernel.
template <class Unit>
__global__ void prepare_kernel(resident::arguments a) {
  device_state = resident::state::make(a);
  detail::make_refused_root(*device_state);
}

// All blocks are on the device at the same time, and stay. Warp 0 of block 0 serves, all others run tasks. No warp
// waits for another but in the queues, so that it does not matter in which order blocks come.
// The 1: without it ptxas spills registers for the sake of more blocks.
template <class Unit>
__global__ void __launch_bounds__(most_threads_per_block, 1) resident_kernel() {
  resident::warp& w = this_warp();
  const unsigned number = blockIdx.x * (blockDim.x / lanes::width) + threadIdx.x / lanes::width;
  // The warp's own memory, which nobody else touches: no barrier of the block is needed.
  if (lanes::lane() == 0) (::new (static_cast<void*>(&w)) resident::warp{})->number = number;
  lanes::sync();
  if (number == 0)
    resident::service<lanes>(*device_state, w).run();
  else
    resident::worker<lanes, tasks<Unit>>(*device_state, w).run();
}

inline void check(cudaError_t e, const char* call) {
  if (e == cudaSuccess) return;
  std::string text = std::string("hel::cuda: ") + call + ": " + cudaGetErrorString(e);
  if (e == cudaErrorInsufficientDriver) {
    int driver = 0, runtime = 0;
    (void)cudaDriverGetVersion(&driver);
    (void)cudaRuntimeGetVersion(&runtime);
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    text += driver == 0
                ? " (there is no driver)"
                : " (the driver is for CUDA " + version(driver) + ", the program needs " + version(runtime) + ")";
  }
  throw device_error(text);
}

template <class Unit>
class session final : public exec::device_session {
 public:
  explicit session(int device) : device_(device) {
    int count = 0;
    check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
    if (device < 0 || device >= count)
      throw device_error("hel::cuda: there is no device " + std::to_string(device) + "; the machine has " +
                         std::to_string(count));
    use();
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    // Loads both kernels now: loading one while the other is resident would wait for its end.
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&prepare_kernel<Unit>)),
          "cudaFuncGetAttributes");
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&resident_kernel<Unit>)),
          "cudaFuncGetAttributes");
  }
  ~session() override {
    if (abandoned_) return;
    if (cudaSetDevice(device_) != cudaSuccess) return;
    // Errors have been reported, or are of a device that is lost.
    if (stream_) (void)cudaStreamSynchronize(stream_);
    for (void* p : memory_) (void)cudaFree(p);
    for (void* p : shared_) (void)cudaFreeHost(p);
    if (stream_) (void)cudaStreamDestroy(stream_);
  }

  unsigned most_blocks(unsigned threads) override {
    use();
    int per_sm = 0, sms = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, reinterpret_cast<const void*>(&resident_kernel<Unit>),
                                                        static_cast<int>(threads), 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device_), "cudaDeviceGetAttribute");
    return static_cast<unsigned>(per_sm) * static_cast<unsigned>(sms);
  }
  void* allocate(std::size_t bytes) override {
    use();
    void* p = nullptr;
    check(cudaMalloc(&p, bytes), ("cudaMalloc of " + std::to_string(bytes >> 20) + " MiB").c_str());
    memory_.push_back(p);
    check(cudaMemsetAsync(p, 0, bytes, stream_), "cudaMemsetAsync");
    return p;
  }
  shared allocate_shared(std::size_t bytes) override {
    use();
    void* host = nullptr;
    check(cudaHostAlloc(&host, bytes, cudaHostAllocMapped | cudaHostAllocPortable), "cudaHostAlloc");
    shared_.push_back(host);
    std::memset(host, 0, bytes);
    void* there = nullptr;
    check(cudaHostGetDevicePointer(&there, host, 0), "cudaHostGetDevicePointer");
    return {host, there};
  }
  void start(const resident::arguments& a, unsigned blocks, unsigned threads) override {
    use();
    resident::arguments copy = a;
    void* parameters[] = {&copy};
    check(cudaLaunchKernel(reinterpret_cast<const void*>(&prepare_kernel<Unit>), dim3(1), dim3(1), parameters, 0,
                           stream_),
          "cudaLaunchKernel");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    check(cudaLaunchKernel(reinterpret_cast<const void*>(&resident_kernel<Unit>), dim3(blocks), dim3(threads), nullptr,
                           0, stream_),
          "cudaLaunchKernel");
  }
  bool over() override {
    const cudaError_t e = cudaStreamQuery(stream_);
    if (e == cudaErrorNotReady) return false;
    check(e, "the resident kernel has failed, and has said why if it could");
    return true;
  }
  void abandon() noexcept override { abandoned_ = true; }

 private:
  void use() const { check(cudaSetDevice(device_), "cudaSetDevice"); }

  int device_;
  bool abandoned_ = false;
  cudaStream_t stream_ = nullptr;
  std::vector<void*> memory_, shared_;
};

template <class Unit>
class program final : public exec::device_program {
 public:
  program(const char* name, const void* key) noexcept : entry_{this, name, key, exec::first_device_program} {
    exec::first_device_program = &entry_;
  }
  std::unique_ptr<exec::device_session> open(int device) override { return std::make_unique<session<Unit>>(device); }

 private:
  exec::device_program_entry entry_;
};

}  // namespace hel::device

#  if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
namespace hel::device {
extern const char& output_of_hel_lower_registry;  // of the program's registry
}
#    define HEL_DEVICE_PROGRAM(unit)                                                                                   \
      namespace {                                                                                                      \
      [[gnu::used]] const void* const hel_program = &::hel::device::output_of_hel_lower_registry;                      \
      }
#    define HEL_DEVICE_REGISTRY(unit)                                                                                  \
      namespace hel::device {                                                                                          \
      extern const char& output_of_hel_lower_registry;                                                                 \
      const char& output_of_hel_lower_registry = ::hel::abi::device_registry_key;                                      \
      }                                                                                                                \
      namespace {                                                                                                      \
      ::hel::device::program<unit> hel_program{__FILE__, &::hel::abi::device_registry_key};                            \
      }
#  else
#    define HEL_DEVICE_PROGRAM(unit)                                                                                   \
      namespace {                                                                                                      \
      ::hel::device::program<unit> hel_program{__FILE__, &::hel::abi::device_unit<::hel_unit>::key};                   \
      }
#    define HEL_DEVICE_REGISTRY(unit)                                                                                  \
      static_assert(sizeof(unit) == 0, "a registry is for files that are compiled with -rdc=true");
#  endif

#endif

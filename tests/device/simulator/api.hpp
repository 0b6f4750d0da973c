// What every function of the simulated CUDA runtime begins and ends with.
#pragma once

#include <cuda_runtime_api.h>

#include "device.hpp"
#include "settings.hpp"

namespace hel_sim {

// What a call returns before it does anything: an injected fault, an old driver, no device, a device that has failed.
cudaError_t before(const char* name);
// Remembers it for cudaGetLastError().
cudaError_t after(cudaError_t e);

device& current_device();
int current_device_number();

template <class F>
cudaError_t api(const char* name, F f) {
  const cudaError_t e = before(name);
  return after(e != cudaSuccess ? e : f());
}

stream& stream_of(device& d, cudaStream_t s);

// A kernel or variable by the host's stand-in for it, or null.
struct known_kernel {
  const hel_sim::kernel* kernel = nullptr;
  const hel_sim::module* module = nullptr;
};
known_kernel find_kernel(const void* stub);
const variable* find_variable(const void* host);
bool is_variable(const void* p);  // an address within one

// Loads the kernel of a module on its first use, which waits for the device: under the lock.
void load(std::unique_lock<std::mutex>& lock, device& d, const known_kernel& k);
std::uint64_t resident_blocks(const hel_sim::kernel& k, std::uint64_t threads, std::uint64_t dynamic_shared);

}  // namespace hel_sim

// Devices, versions, errors and attributes.
#include <cstring>

#include "api.hpp"

namespace hel_sim {
namespace {
thread_local int chosen = 0;
thread_local cudaError_t last = cudaSuccess;
}  // namespace

cudaError_t before(const char* name) {
  if (const int fault = injected_fault(name)) return static_cast<cudaError_t>(fault);
  if (configured().driver < CUDART_VERSION / 1000 * 1000) return cudaErrorInsufficientDriver;
  if (configured().devices == 0) return cudaErrorNoDevice;
  return static_cast<cudaError_t>(current_device().error.load());
}

cudaError_t after(cudaError_t e) {
  if (e != cudaSuccess && e != cudaErrorNotReady) last = e;
  return e;
}

device& current_device() { return *simulator().devices[static_cast<std::size_t>(chosen)]; }
int current_device_number() { return chosen; }

}  // namespace hel_sim

using namespace hel_sim;

namespace {

struct known_error {
  cudaError_t code;
  const char* name;
  const char* text;
};
// Of the header: those that the simulator returns, and those that tests inject.
#define HEL_SIM_ERROR(code, text)                                                                                      \
  { code, #code, text }
constexpr known_error known_errors[] = {
    HEL_SIM_ERROR(cudaSuccess, "no error"),
    HEL_SIM_ERROR(cudaErrorInvalidValue, "invalid argument"),
    HEL_SIM_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    HEL_SIM_ERROR(cudaErrorInitializationError, "initialization error"),
    HEL_SIM_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    HEL_SIM_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HEL_SIM_ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
    HEL_SIM_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    HEL_SIM_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    HEL_SIM_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    HEL_SIM_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    HEL_SIM_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    HEL_SIM_ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
    HEL_SIM_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    HEL_SIM_ERROR(cudaErrorNotReady, "device not ready"),
    HEL_SIM_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    HEL_SIM_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    HEL_SIM_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    HEL_SIM_ERROR(cudaErrorAssert, "device-side assert triggered"),
    HEL_SIM_ERROR(cudaErrorHostMemoryAlreadyRegistered, "part or all of the requested memory range is already mapped"),
    HEL_SIM_ERROR(cudaErrorHostMemoryNotRegistered, "pointer does not correspond to a registered memory region"),
    HEL_SIM_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    HEL_SIM_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    HEL_SIM_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HEL_SIM_ERROR(cudaErrorNotSupported, "operation not supported"),
    HEL_SIM_ERROR(cudaErrorUnknown, "unknown error"),
};

bool attribute(cudaDeviceAttr a, int& value) {
  const settings& s = configured();
  switch (a) {
  case cudaDevAttrMaxThreadsPerBlock:
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY: value = 1024; return true;
  case cudaDevAttrMaxBlockDimZ: value = 64; return true;
  case cudaDevAttrMaxGridDimX: value = 0x7fffffff; return true;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ: value = 65535; return true;
  case cudaDevAttrMaxSharedMemoryPerBlock: value = 48 * 1024; return true;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin: value = largest_dynamic_shared; return true;
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor: value = 228 * 1024; return true;
  case cudaDevAttrReservedSharedMemoryPerBlock: value = 1024; return true;
  case cudaDevAttrTotalConstantMemory: value = 65536; return true;
  case cudaDevAttrWarpSize: value = warp_lanes; return true;
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor: value = 65536; return true;
  case cudaDevAttrClockRate: value = 1000000; return true;
  case cudaDevAttrMultiProcessorCount: value = static_cast<int>(s.multiprocessors); return true;
  case cudaDevAttrMaxThreadsPerMultiProcessor: value = 2048; return true;
  case cudaDevAttrMaxBlocksPerMultiprocessor: value = 32; return true;
  case cudaDevAttrComputeCapabilityMajor: value = 9; return true;
  case cudaDevAttrComputeCapabilityMinor: value = 0; return true;
  case cudaDevAttrKernelExecTimeout:
  case cudaDevAttrIntegrated:
  case cudaDevAttrComputeMode:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrPageableMemoryAccess:
  case cudaDevAttrHostNativeAtomicSupported:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrClusterLaunch: value = 0; return true;
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrAsyncEngineCount: value = 1; return true;
  case cudaDevAttrL2CacheSize: value = 1 << 20; return true;
  case cudaDevAttrPciBusId:
  case cudaDevAttrPciDeviceId:
  case cudaDevAttrPciDomainId: value = 0; return true;
  default: return false;
  }
}

const known_error* known(cudaError_t e) {
  for (const known_error& k : known_errors)
    if (k.code == e) return &k;
  return nullptr;
}

}  // namespace

extern "C" {

const char* cudaGetErrorName(cudaError_t e) {
  const known_error* k = known(e);
  return k ? k->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t e) {
  const known_error* k = known(e);
  return k ? k->text : "unrecognized error code";
}
cudaError_t cudaGetLastError() {
  const cudaError_t e = last;
  if (configured().devices > 0 && current_device().error.load() != 0)
    return static_cast<cudaError_t>(current_device().error.load());
  last = cudaSuccess;
  return e;
}
cudaError_t cudaPeekAtLastError() {
  if (configured().devices > 0 && current_device().error.load() != 0)
    return static_cast<cudaError_t>(current_device().error.load());
  return last;
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (const int fault = injected_fault("cudaDriverGetVersion")) return after(static_cast<cudaError_t>(fault));
  *version = configured().driver;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  return api("cudaGetDeviceCount", [&] {
    *count = static_cast<int>(configured().devices);
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* d) {
  return api("cudaGetDevice", [&] {
    *d = chosen;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int d) {
  if (const int fault = injected_fault("cudaSetDevice")) return after(static_cast<cudaError_t>(fault));
  if (configured().driver < CUDART_VERSION / 1000 * 1000) return after(cudaErrorInsufficientDriver);
  if (configured().devices == 0) return after(cudaErrorNoDevice);
  if (d < 0 || d >= static_cast<int>(configured().devices)) return after(cudaErrorInvalidDevice);
  chosen = d;
  return after(static_cast<cudaError_t>(current_device().error.load()));
}
cudaError_t cudaInitDevice(int d, unsigned, unsigned) { return cudaSetDevice(d); }
cudaError_t cudaSetDeviceFlags(unsigned) {
  return api("cudaSetDeviceFlags", [] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int d) {
  return api("cudaDeviceGetAttribute", [&] {
    if (d < 0 || d >= static_cast<int>(configured().devices)) return cudaErrorInvalidDevice;
    return attribute(a, *value) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  return api("cudaGetDeviceProperties", [&] {
    if (d < 0 || d >= static_cast<int>(configured().devices)) return cudaErrorInvalidDevice;
    *p = cudaDeviceProp{};
    std::strcpy(p->name, "HEL's simulated device");
    const auto get = [](cudaDeviceAttr a) {
      int value = 0;
      attribute(a, value);
      return value;
    };
    p->totalGlobalMem = std::size_t{configured().memory} << 20;
    p->sharedMemPerBlock = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerBlock));
    p->sharedMemPerBlockOptin = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    p->sharedMemPerMultiprocessor = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    p->reservedSharedMemPerBlock = static_cast<std::size_t>(get(cudaDevAttrReservedSharedMemoryPerBlock));
    p->totalConstMem = 65536;
    p->regsPerBlock = p->regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerBlock);
    p->warpSize = get(cudaDevAttrWarpSize);
    p->maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->major = get(cudaDevAttrComputeCapabilityMajor);
    p->minor = get(cudaDevAttrComputeCapabilityMinor);
    p->multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
    p->maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->canMapHostMemory = p->concurrentKernels = p->unifiedAddressing = p->cooperativeLaunch = 1;
    p->hostRegisterSupported = p->canUseHostPointerForRegisteredMem = p->asyncEngineCount = 1;
    p->l2CacheSize = get(cudaDevAttrL2CacheSize);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api("cudaDeviceGetStreamPriorityRange", [&] {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return api("cudaDeviceSetLimit", [] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return api("cudaDeviceGetLimit", [&] {
    if (limit == cudaLimitStackSize)
      *value = 65536;  // of a fiber
    else
      *value = std::size_t{8} << 20;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize() {
  return api("cudaDeviceSynchronize", [] {
    device& d = current_device();
    auto& s = simulator();
    std::unique_lock lock(s.mutex);
    wait(lock, d, "cudaDeviceSynchronize", [&] { return d.idle(); });
    return static_cast<cudaError_t>(d.error.load());
  });
}
// The newer interface of the driver (green contexts and the like) is not here.
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  return api("cudaGetDriverEntryPointByVersion", [&] {
    *function = nullptr;
    if (result) *result = cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
  });
}

}  // extern "C"

// Registration of kernels and variables, launches, streams and events.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>

#include "api.hpp"

namespace hel_sim {
namespace {

struct registered {
  std::string module_id, name;
};
struct registry {
  std::mutex mutex;
  std::map<const void*, registered> kernels, variables;
};
registry& registered_things() {
  static auto* const r = new registry;
  return *r;
}

bool lookup(std::map<const void*, registered>& in, const void* host, registered& found) {
  const std::lock_guard lock(registered_things().mutex);
  const auto i = in.find(host);
  if (i == in.end()) return false;
  found = i->second;
  return true;
}

// With separate compilation Clang makes the names of what is local to a file unique in device code; here a name is
// looked up in its file's module.
std::string without_suffix(std::string name) {
  for (const char* mark : {"__intern__", "__static__"})
    if (const auto at = name.rfind(mark); at != std::string::npos) name.resize(at);
  return name;
}

struct configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};
thread_local std::vector<configuration> configurations;

std::set<const kernel*> loaded[64];  // by device

}  // namespace

known_kernel find_kernel(const void* stub) {
  registered r;
  if (!lookup(registered_things().kernels, stub, r)) return {};
  const module* m = find_module(r.module_id.c_str());
  if (!m) return {};
  for (std::uint64_t i = 0; i < m->kernel_count; ++i)
    if (r.name == without_suffix(m->kernels[i].name)) return {&m->kernels[i], m};
  return {};
}

const variable* find_variable(const void* host) {
  registered r;
  if (!lookup(registered_things().variables, host, r)) return nullptr;
  const module* m = find_module(r.module_id.c_str());
  if (!m) return nullptr;
  for (std::uint64_t i = 0; i < m->variable_count; ++i)
    if (r.name == without_suffix(m->variables[i].name)) return &m->variables[i];
  return nullptr;
}

bool is_variable(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  for (const module* m = first_module(); m; m = m->next)
    for (std::uint64_t i = 0; i < m->variable_count; ++i) {
      const auto start = reinterpret_cast<std::uintptr_t>(m->variables[i].address);
      if (at >= start && at < start + m->variables[i].bytes) return true;
    }
  return false;
}

void load(std::unique_lock<std::mutex>& lock, device& d, const known_kernel& k) {
  auto& mine = loaded[current_device_number()];
  if (mine.count(k.kernel)) return;
  if (configured().lazy)
    wait(lock, d, "the first use of " + readable(k.kernel->name) + ", which waits for running kernels (lazy loading)",
         [&] { return !d.kernels_pending(); });
  mine.insert(k.kernel);
}

std::uint64_t resident_blocks(const kernel& k, std::uint64_t threads, std::uint64_t dynamic_shared) {
  if (threads == 0 || threads > k.max_threads || threads > 1024) return 0;
  const std::uint64_t warps = (threads + warp_lanes - 1) / warp_lanes;
  const std::uint64_t shared = k.shared_bytes + dynamic_shared + 1024;
  return std::min({std::uint64_t{configured().blocks}, 64 / warps, 228 * std::uint64_t{1024} / shared});
}

stream& stream_of(device& d, cudaStream_t s) {
  if (s == nullptr || s == cudaStreamLegacy) return d.default_stream();
  if (s == cudaStreamPerThread) {
    thread_local std::map<device*, stream*> mine;
    stream*& one = mine[&d];
    if (!one) one = d.create_stream(false);
    return *one;
  }
  return *reinterpret_cast<stream*>(s);
}

namespace {

std::map<const kernel*, std::size_t>& opted_in() {  // dynamic shared memory by cudaFuncSetAttribute
  static auto* const m = new std::map<const kernel*, std::size_t>;
  return *m;
}

cudaError_t start(const void* stub, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t on,
                  bool cooperative) {
  const known_kernel k = find_kernel(stub);
  if (!k.kernel) return cudaErrorInvalidDeviceFunction;
  device& d = current_device();
  auto& s = simulator();
  std::unique_lock lock(s.mutex);
  auto l = std::make_shared<launch>();
  l->grid = {grid.x, grid.y, grid.z};
  l->block = {block.x, block.y, block.z};
  const std::uint64_t threads = l->block.count();
  if (l->grid.count() == 0 || threads == 0 || threads > 1024 || block.z > 64 || grid.y > 65535 || grid.z > 65535)
    return cudaErrorInvalidConfiguration;
  const auto opted = opted_in().find(k.kernel);
  const std::size_t allowed =
      opted == opted_in().end() ? 48 * 1024 - std::min<std::size_t>(48 * 1024, k.kernel->shared_bytes) : opted->second;
  if (shared > allowed) return cudaErrorInvalidValue;
  l->resident = resident_blocks(*k.kernel, threads, shared) * configured().multiprocessors;
  if (l->resident == 0) return threads > k.kernel->max_threads ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;
  if (cooperative && l->grid.count() > l->resident) return cudaErrorCooperativeLaunchTooLarge;
  load(lock, d, k);
  if (d.error.load() != 0) return static_cast<cudaError_t>(d.error.load());
  l->kernel = k.kernel;
  l->module = k.module;
  l->dynamic_shared = shared;
  for (std::uint64_t i = 0; i < k.kernel->parameters; ++i) {
    const std::uint64_t bytes = k.kernel->parameter_bytes[i];
    l->storage.emplace_back(static_cast<unsigned char*>(::operator new[](bytes + 1)));
    std::memcpy(l->storage.back().get(), arguments[i], bytes);
    l->parameters.push_back(l->storage.back().get());
  }
  l->fault = injected_fault("kernel");
  auto o = std::make_shared<operation>();
  o->what = k.kernel->name;
  o->launch = std::move(l);
  d.enqueue(stream_of(d, on), std::move(o));
  return cudaSuccess;
}

cudaError_t drained(const char* name, cudaStream_t on) {
  device& d = current_device();
  std::unique_lock lock(simulator().mutex);
  stream& s = stream_of(d, on);
  // the default stream ends after the others
  wait(lock, d, name, [&] { return d.idle(s); });
  return static_cast<cudaError_t>(d.error.load());
}

}  // namespace
}  // namespace hel_sim

using namespace hel_sim;

namespace {
event& event_of(cudaEvent_t e) { return *reinterpret_cast<event*>(e); }
}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  struct fat_binary_wrapper {
    int magic, version;
    const char* data;
    void* unused;
  };
  const auto* w = static_cast<fat_binary_wrapper*>(wrapper);
  constexpr char mark[] = "HEL_SIM:";
  if (std::strncmp(w->data, mark, sizeof mark - 1) != 0) {
    std::fprintf(stderr, "simulated device: an object whose device code is for a real one is linked in\n");
    std::abort();
  }
  return reinterpret_cast<void**>(new std::string(w->data + sizeof mark - 1));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void** handle) { delete reinterpret_cast<std::string*>(handle); }
void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  const std::lock_guard lock(registered_things().mutex);
  registered_things().kernels[host] = {*reinterpret_cast<std::string*>(handle), without_suffix(name)};
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
  const std::lock_guard lock(registered_things().mutex);
  registered_things().variables[host] = {*reinterpret_cast<std::string*>(handle), without_suffix(name)};
}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* on) {
  configurations.push_back({grid, block, shared, on});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* on) {
  if (configurations.empty()) return cudaErrorInvalidConfiguration;
  const configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(on) = c.stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void* f, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t on) {
  return api("cudaLaunchKernel", [&] { return start(f, grid, block, arguments, shared, on, false); });
}
cudaError_t cudaLaunchCooperativeKernel(const void* f, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                        cudaStream_t on) {
  return api("cudaLaunchCooperativeKernel", [&] { return start(f, grid, block, arguments, shared, on, true); });
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* f, void** arguments) {
  return api("cudaLaunchKernelExC", [&] {
    bool cooperative = false;
    for (unsigned i = 0; i < c->numAttrs; ++i) {
      if (c->attrs[i].id == cudaLaunchAttributeCooperative)
        cooperative = c->attrs[i].val.cooperative != 0;
      else if (c->attrs[i].id != cudaLaunchAttributeIgnore && c->attrs[i].id != cudaLaunchAttributePriority)
        return cudaErrorNotSupported;
    }
    return start(f, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes, c->stream, cooperative);
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t on, cudaHostFn_t f, void* argument) {
  return api("cudaLaunchHostFunc", [&] {
    device& d = current_device();
    const std::lock_guard lock(simulator().mutex);
    auto o = std::make_shared<operation>();
    o->what = "cudaLaunchHostFunc";
    o->action = [=] { f(argument); };
    d.enqueue(stream_of(d, on), std::move(o));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void* f) {
  return api("cudaFuncGetAttributes", [&] {
    const known_kernel k = find_kernel(f);
    if (!k.kernel) return cudaErrorInvalidDeviceFunction;
    std::unique_lock lock(simulator().mutex);
    load(lock, current_device(), k);
    *a = cudaFuncAttributes{};
    a->sharedSizeBytes = k.kernel->shared_bytes;
    a->maxThreadsPerBlock = static_cast<int>(std::min<std::uint64_t>(k.kernel->max_threads, 1024));
    a->numRegs = 32;
    a->ptxVersion = a->binaryVersion = 90;
    a->maxDynamicSharedSizeBytes =
        48 * 1024 - static_cast<int>(std::min<std::uint64_t>(k.kernel->shared_bytes, 48 * 1024));
    return static_cast<cudaError_t>(current_device().error.load());
  });
}
cudaError_t cudaFuncSetAttribute(const void* f, cudaFuncAttribute a, int value) {
  return api("cudaFuncSetAttribute", [&] {
    const known_kernel k = find_kernel(f);
    if (!k.kernel) return cudaErrorInvalidDeviceFunction;
    if (a == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (a != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        static_cast<std::uint64_t>(value) + k.kernel->shared_bytes > largest_dynamic_shared)
      return cudaErrorInvalidValue;
    const std::lock_guard lock(simulator().mutex);
    opted_in()[k.kernel] = static_cast<std::size_t>(value);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const void* f, cudaFuncCache) {
  return api("cudaFuncSetCacheConfig",
             [&] { return find_kernel(f).kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int threads,
                                                                   std::size_t shared, unsigned) {
  return api("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&] {
    const known_kernel k = find_kernel(f);
    if (!k.kernel) return cudaErrorInvalidDeviceFunction;
    if (threads <= 0) return cudaErrorInvalidValue;
    *blocks = static_cast<int>(resident_blocks(*k.kernel, static_cast<std::uint64_t>(threads), shared));
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, shared, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int) {
  return api("cudaStreamCreate", [&] {
    const std::lock_guard lock(simulator().mutex);
    *s = reinterpret_cast<cudaStream_t>(current_device().create_stream((flags & cudaStreamNonBlocking) != 0));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned flags) {
  return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithPriority(s, 0, 0); }
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return api("cudaStreamDestroy", [&] {
    if (!s) return cudaErrorInvalidResourceHandle;
    const std::lock_guard lock(simulator().mutex);
    current_device().destroy_stream(reinterpret_cast<stream*>(s));
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  return api("cudaStreamSynchronize", [&] { return drained("cudaStreamSynchronize", s); });
}
cudaError_t cudaStreamQuery(cudaStream_t s) {
  return api("cudaStreamQuery", [&] {
    device& d = current_device();
    const std::lock_guard lock(simulator().mutex);
    return d.idle(stream_of(d, s)) ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned) {
  return api("cudaEventCreate", [&] {
    *e = reinterpret_cast<cudaEvent_t>(new event);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) {
  return api("cudaEventRecord", [&] {
    device& d = current_device();
    const std::lock_guard lock(simulator().mutex);
    const std::uint64_t number = ++event_of(e).recorded;
    auto o = std::make_shared<operation>();
    o->what = "cudaEventRecord";
    o->action = [&ev = event_of(e), number] {
      const std::lock_guard inner(simulator().mutex);
      ev.reached = std::max(ev.reached, number);
      ev.time = now_ns();
    };
    d.enqueue(stream_of(d, s), std::move(o));
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { return cudaEventRecordWithFlags(e, s, 0); }
cudaError_t cudaEventQuery(cudaEvent_t e) {
  return api("cudaEventQuery", [&] {
    const std::lock_guard lock(simulator().mutex);
    return event_of(e).reached >= event_of(e).recorded ? cudaSuccess : cudaErrorNotReady;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return api("cudaEventSynchronize", [&] {
    device& d = current_device();
    std::unique_lock lock(simulator().mutex);
    wait(lock, d, "cudaEventSynchronize", [&] { return event_of(e).reached >= event_of(e).recorded; });
    return static_cast<cudaError_t>(d.error.load());
  });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  return api("cudaEventElapsedTime", [&] {
    const std::lock_guard lock(simulator().mutex);
    const event &a = event_of(from), &b = event_of(to);
    if (a.recorded == 0 || b.recorded == 0) return cudaErrorInvalidResourceHandle;
    if (a.reached < a.recorded || b.reached < b.recorded) return cudaErrorNotReady;
    *ms = static_cast<float>(static_cast<double>(static_cast<std::int64_t>(b.time - a.time)) / 1e6);
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return api("cudaEventDestroy", [&] {
    // records of it may still be in streams
    device& d = current_device();
    std::unique_lock lock(simulator().mutex);
    wait(lock, d, "cudaEventDestroy", [&] { return event_of(e).reached >= event_of(e).recorded; });
    delete &event_of(e);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  return api("cudaStreamWaitEvent", [&] {
    device& d = current_device();
    const std::lock_guard lock(simulator().mutex);
    auto o = std::make_shared<operation>();
    o->what = "cudaStreamWaitEvent";
    o->ready = [&ev = event_of(e), number = event_of(e).recorded] { return ev.reached >= number; };
    o->action = [] {};
    d.enqueue(stream_of(d, s), std::move(o));
    return cudaSuccess;
  });
}

}  // extern "C"

// Memory of device and host, and copies between them.
#include <cstdlib>
#include <cstring>

#include <algorithm>

#include "api.hpp"

using namespace hel_sim;

namespace {

std::size_t used(const shared_state& s, int device) {
  std::size_t sum = 0;
  for (const auto& [at, a] : s.allocations)
    if (a.kind == cudaMemoryTypeDevice && a.device == device) sum += a.bytes;
  return sum;
}

// What is there before anything is written is anything: not zero, in any case.
void* fresh_memory(std::size_t alignment, std::size_t bytes) {
  void* p = std::aligned_alloc(alignment, (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
  if (p) std::memset(p, 0xa5, std::min<std::size_t>(bytes, 64u << 20));
  return p;
}

cudaError_t allocate(void** p, std::size_t bytes, int kind, unsigned flags) {
  if (!p) return cudaErrorInvalidValue;
  *p = nullptr;
  if (bytes == 0) return cudaSuccess;
  auto& s = simulator();
  const std::lock_guard lock(s.mutex);
  if (kind == cudaMemoryTypeDevice &&
      bytes > (std::size_t{configured().memory} << 20) - used(s, current_device_number()))
    return cudaErrorMemoryAllocation;
  *p = fresh_memory(kind == cudaMemoryTypeDevice ? 256 : 4096, bytes);
  if (!*p) return cudaErrorMemoryAllocation;
  allocation a;
  a.bytes = bytes;
  a.kind = kind;
  a.device = current_device_number();
  a.flags = flags;
  s.allocations[reinterpret_cast<std::uintptr_t>(*p)] = a;
  return cudaSuccess;
}

// Waits for the whole device first, as the real ones do: behind a kernel that never ends they hang.
cudaError_t release(const char* name, void* p, int kind) {
  if (!p) return cudaSuccess;
  device& d = current_device();
  auto& s = simulator();
  std::unique_lock lock(s.mutex);
  const auto i = s.allocations.find(reinterpret_cast<std::uintptr_t>(p));
  if (i == s.allocations.end() || i->second.kind != kind || i->second.registered) return cudaErrorInvalidValue;
  wait(lock, d, std::string(name) + ", which waits for the device", [&] { return d.idle(); });
  if (d.error.load() != 0) return static_cast<cudaError_t>(d.error.load());
  s.allocations.erase(reinterpret_cast<std::uintptr_t>(p));
  std::free(p);
  return cudaSuccess;
}

bool on_device(shared_state& s, const void* p) {
  const auto* a = s.find(p);
  if (a) return a->second.kind == cudaMemoryTypeDevice;
  return is_variable(p);
}

bool direction_fits(shared_state& s, const void* to, const void* from, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return true;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // memory of the host that is mapped may stand for either
  const auto fits = [&](const void* p, bool device) {
    return s.find(p) ? on_device(s, p) == device || s.find(p)->second.kind == cudaMemoryTypeHost
                     : on_device(s, p) == device;
  };
  return fits(to, to_device) && fits(from, from_device);
}

cudaError_t copy(const char* name, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t on,
                 bool waits) {
  if (bytes == 0) return cudaSuccess;
  if (!to || !from) return cudaErrorInvalidValue;
  device& d = current_device();
  auto& s = simulator();
  std::unique_lock lock(s.mutex);
  if (!direction_fits(s, to, from, kind)) return cudaErrorInvalidValue;
  stream& where = stream_of(d, on);
  auto o = std::make_shared<operation>();
  o->what = name;
  auto done = std::make_shared<bool>(false);
  const bool pageable_source = !s.find(from) && !is_variable(from);
  const bool pageable_target = !s.find(to) && !is_variable(to);
  if (!waits && pageable_source) {  // has been read when the call returns
    const auto* bytes_of = static_cast<const unsigned char*>(from);
    auto staged = std::make_shared<std::vector<unsigned char>>(bytes_of, bytes_of + bytes);
    o->action = [=] { std::memcpy(to, staged->data(), bytes); };
  } else {
    o->action = [=] { std::memcpy(to, from, bytes); };
  }
  o->action = [action = std::move(o->action), done] {
    action();
    const std::lock_guard inner(simulator().mutex);
    *done = true;
  };
  d.enqueue(where, std::move(o));
  if (waits || pageable_target) wait(lock, d, name, [&] { return *done; });
  return static_cast<cudaError_t>(d.error.load());
}

cudaError_t fill(const char* name, void* to, int value, std::size_t bytes, cudaStream_t on) {
  if (bytes == 0) return cudaSuccess;
  device& d = current_device();
  auto& s = simulator();
  std::unique_lock lock(s.mutex);
  if (!s.find(to) && !is_variable(to)) return cudaErrorInvalidValue;
  auto o = std::make_shared<operation>();
  o->what = name;
  o->action = [=] { std::memset(to, value, bytes); };
  d.enqueue(stream_of(d, on), std::move(o));
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  return api("cudaMalloc", [&] { return allocate(p, bytes, cudaMemoryTypeDevice, 0); });
}
cudaError_t cudaMallocHost(void** p, std::size_t bytes) {
  return api("cudaMallocHost", [&] { return allocate(p, bytes, cudaMemoryTypeHost, 0); });
}
cudaError_t cudaHostAlloc(void** p, std::size_t bytes, unsigned flags) {
  return api("cudaHostAlloc", [&] { return allocate(p, bytes, cudaMemoryTypeHost, flags); });
}
cudaError_t cudaFree(void* p) {
  return api("cudaFree", [&] { return release("cudaFree", p, cudaMemoryTypeDevice); });
}
cudaError_t cudaFreeHost(void* p) {
  return api("cudaFreeHost", [&] { return release("cudaFreeHost", p, cudaMemoryTypeHost); });
}
cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t) {
  return api("cudaMallocAsync", [&] { return allocate(p, bytes, cudaMemoryTypeDevice, 0); });
}
cudaError_t cudaFreeAsync(void* p, cudaStream_t on) {
  return api("cudaFreeAsync", [&] {
    if (!p) return cudaSuccess;
    device& d = current_device();
    auto& s = simulator();
    const std::lock_guard lock(s.mutex);
    const auto i = s.allocations.find(reinterpret_cast<std::uintptr_t>(p));
    if (i == s.allocations.end() || i->second.kind != cudaMemoryTypeDevice) return cudaErrorInvalidValue;
    auto o = std::make_shared<operation>();
    o->what = "cudaFreeAsync";
    o->action = [p] {
      const std::lock_guard inner(simulator().mutex);
      simulator().allocations.erase(reinterpret_cast<std::uintptr_t>(p));
      std::free(p);
    };
    d.enqueue(stream_of(d, on), std::move(o));
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* p, std::size_t bytes, unsigned flags) {
  return api("cudaHostRegister", [&] {
    if (!p || bytes == 0) return cudaErrorInvalidValue;
    auto& s = simulator();
    const std::lock_guard lock(s.mutex);
    if (s.find(p)) return cudaErrorHostMemoryAlreadyRegistered;
    allocation a;
    a.bytes = bytes;
    a.kind = cudaMemoryTypeHost;
    a.device = current_device_number();
    a.flags = flags;
    a.registered = true;
    s.allocations[reinterpret_cast<std::uintptr_t>(p)] = a;
    return cudaSuccess;
  });
}
cudaError_t cudaHostUnregister(void* p) {
  return api("cudaHostUnregister", [&] {
    device& d = current_device();
    auto& s = simulator();
    std::unique_lock lock(s.mutex);
    const auto i = s.allocations.find(reinterpret_cast<std::uintptr_t>(p));
    if (i == s.allocations.end() || !i->second.registered) return cudaErrorHostMemoryNotRegistered;
    wait(lock, d, "cudaHostUnregister, which waits for the device", [&] { return d.idle(); });
    s.allocations.erase(reinterpret_cast<std::uintptr_t>(p));
    return static_cast<cudaError_t>(d.error.load());
  });
}
cudaError_t cudaHostGetDevicePointer(void** on_the_device, void* p, unsigned) {
  return api("cudaHostGetDevicePointer", [&] {
    auto& s = simulator();
    const std::lock_guard lock(s.mutex);
    const auto* a = s.find(p);
    if (!a || a->second.kind != cudaMemoryTypeHost) return cudaErrorInvalidValue;
    *on_the_device = p;
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
  return api("cudaPointerGetAttributes", [&] {
    auto& s = simulator();
    const std::lock_guard lock(s.mutex);
    *attributes = cudaPointerAttributes{};
    const auto* a = s.find(p);
    attributes->type = a                ? static_cast<cudaMemoryType>(a->second.kind)
                       : is_variable(p) ? cudaMemoryTypeDevice
                                        : cudaMemoryTypeUnregistered;
    attributes->device = a ? a->second.device : attributes->type == cudaMemoryTypeDevice ? current_device_number() : -2;
    if (attributes->type != cudaMemoryTypeUnregistered) attributes->devicePointer = const_cast<void*>(p);
    if (attributes->type != cudaMemoryTypeDevice) attributes->hostPointer = const_cast<void*>(p);
    return cudaSuccess;
  });
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total) {
  return api("cudaMemGetInfo", [&] {
    auto& s = simulator();
    const std::lock_guard lock(s.mutex);
    *total = std::size_t{configured().memory} << 20;
    *free_bytes = *total - used(s, current_device_number());
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return api("cudaMemcpy", [&] { return copy("cudaMemcpy", to, from, bytes, kind, nullptr, true); });
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t on) {
  return api("cudaMemcpyAsync", [&] { return copy("cudaMemcpyAsync", to, from, bytes, kind, on, false); });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return api("cudaMemset", [&] { return fill("cudaMemset", to, value, bytes, nullptr); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t on) {
  return api("cudaMemsetAsync", [&] { return fill("cudaMemsetAsync", to, value, bytes, on); });
}

cudaError_t cudaGetSymbolAddress(void** p, const void* symbol) {
  return api("cudaGetSymbolAddress", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    *p = v->address;
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
  return api("cudaGetSymbolSize", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    *bytes = v->bytes;
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t on) {
  return api("cudaMemcpyToSymbolAsync", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    if (bytes > v->bytes || offset > v->bytes - bytes) return cudaErrorInvalidValue;
    return copy("cudaMemcpyToSymbolAsync", static_cast<char*>(v->address) + offset, from, bytes, kind, on, false);
  });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t on) {
  return api("cudaMemcpyFromSymbolAsync", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    if (bytes > v->bytes || offset > v->bytes - bytes) return cudaErrorInvalidValue;
    return copy("cudaMemcpyFromSymbolAsync", to, static_cast<char*>(v->address) + offset, bytes, kind, on, false);
  });
}
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset,
                               cudaMemcpyKind kind) {
  return api("cudaMemcpyToSymbol", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    if (bytes > v->bytes || offset > v->bytes - bytes) return cudaErrorInvalidValue;
    return copy("cudaMemcpyToSymbol", static_cast<char*>(v->address) + offset, from, bytes, kind, nullptr, true);
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                 cudaMemcpyKind kind) {
  return api("cudaMemcpyFromSymbol", [&] {
    const variable* v = find_variable(symbol);
    if (!v) return cudaErrorInvalidSymbol;
    if (bytes > v->bytes || offset > v->bytes - bytes) return cudaErrorInvalidValue;
    return copy("cudaMemcpyFromSymbol", to, static_cast<char*>(v->address) + offset, bytes, kind, nullptr, true);
  });
}

}  // extern "C"

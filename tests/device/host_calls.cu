// hel::core::rpc between device and host, through mapped memory: a kernel of several blocks calls, a thread of the host
// answers while it runs.
#include <atomic>
#include <cstring>
#include <thread>

#include "check.hpp"
#include "hel/core/rpc.hpp"

struct waiting {
  hel::core::atomic<unsigned> answered;
};
using client = hel::core::rpc_client<waiting>;

constexpr unsigned threads = 64, blocks = 3, calls = 80;  // 10240 in all, with 1024 slots

__global__ void make(client* c, void* mapped, hel::core::rpc_shape shape, client::link* links, client::wait* waits) {
  new (c) client(hel::core::rpc_memory(mapped, shape), links, waits);
}

// The last block takes answers, the others call.
__global__ void call(client* c, unsigned* wrong, unsigned* done) {
  hel::core::backoff wait;
  if (blockIdx.x == blocks - 1) {
    while (atomicAdd(done, 0u) < threads * (blocks - 1)) {
      const auto a = c->next_answer();
      if (a.slot == client::none)
        wait.pause();
      else
        a.waiter->answered.store_release(a.slot + 1);
    }
    return;
  }
  const unsigned me = blockIdx.x * threads + threadIdx.x;
  waiting w;
  for (unsigned i = 0; i < calls; ++i) {
    w.answered.store_relaxed(0);
    std::uint32_t slot;
    while ((slot = c->claim(sizeof(long))) == client::none) wait.pause();
    hel::core::rpc_header& h = c->header(slot);
    h.function = 7;
    h.argument_bytes = h.result_bytes = sizeof(long);
    *static_cast<long*>(c->payload(slot)) = static_cast<long>(me) * calls + i;
    c->submit(slot, &w);
    unsigned answer;
    while ((answer = w.answered.load_acquire()) == 0) wait.pause();
    if (answer != slot + 1 ||
        *static_cast<const long*>(c->payload(slot)) != 3 * (static_cast<long>(me) * calls + i) + 1)
      atomicAdd(wrong, 1u);
    c->release(slot);
  }
  atomicAdd(done, 1u);
}

int main() {
  const hel::core::rpc_shape shape;
  void *on_host = nullptr, *on_device = nullptr;
  CHECK_CUDA(cudaHostAlloc(&on_host, shape.bytes(), cudaHostAllocMapped));
  CHECK_CUDA(cudaHostGetDevicePointer(&on_device, on_host, 0));
  std::memset(on_host, 0, shape.bytes());
  client* c = nullptr;
  client::link* links = nullptr;
  client::wait* waits = nullptr;
  unsigned* counters = nullptr;
  CHECK_CUDA(cudaMalloc(&c, sizeof(client)));
  CHECK_CUDA(cudaMalloc(&links, shape.all() * sizeof(client::link)));
  CHECK_CUDA(cudaMalloc(&waits, shape.all() * sizeof(client::wait)));
  CHECK_CUDA(cudaMalloc(&counters, 2 * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(links, 0, shape.all() * sizeof(client::link)));
  CHECK_CUDA(cudaMemset(waits, 0, shape.all() * sizeof(client::wait)));
  CHECK_CUDA(cudaMemset(counters, 0, 2 * sizeof(unsigned)));

  std::atomic<bool> stop{false};
  std::atomic<unsigned> answered{0};
  std::thread server([&] {
    hel::core::rpc_server s{hel::core::rpc_memory(on_host, shape)};
    while (!stop.load()) {
      const std::uint32_t slot = s.next();
      if (slot == hel::core::rpc_server::none) {
        std::this_thread::yield();
        continue;
      }
      CHECK(s.header(slot).function == 7);
      long& value = *static_cast<long*>(s.payload(slot));
      value = 3 * value + 1;
      s.answer(slot, 0);
      answered.fetch_add(1);
    }
  });
  make<<<1, 1>>>(c, on_device, shape, links, waits);
  call<<<blocks, threads>>>(c, counters, counters + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  stop = true;
  server.join();
  unsigned h[2] = {1, 0};
  CHECK_CUDA(cudaMemcpy(h, counters, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(h[0] == 0 && h[1] == threads * (blocks - 1));
  CHECK(answered.load() == threads * (blocks - 1) * calls);
  CHECK_CUDA(cudaFreeHost(on_host));
  for (void* p :
       {static_cast<void*>(c), static_cast<void*>(links), static_cast<void*>(waits), static_cast<void*>(counters)})
    CHECK_CUDA(cudaFree(p));
  return failures();
}

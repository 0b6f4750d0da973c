// Blocks that talk to each other through hel::core::mailbox: every item is received once, and those of a sender in
// order.
#include <vector>

#include "check.hpp"
#include "hel/core/mailbox.hpp"

using mailbox = hel::core::mailbox<unsigned long long>;

constexpr unsigned cells = 16, senders = 96, items = 200;

__global__ void make(mailbox* box, mailbox::cell* memory) { new (box) mailbox(memory, cells); }

// The first block sends, the others receive.
__global__ void exchange(mailbox* box, unsigned* received, unsigned* disorder, unsigned* taken) {
  if (blockIdx.x == 0) {
    hel::core::backoff wait;
    for (unsigned i = 0; i < items; ++i)
      while (!box->try_send(static_cast<unsigned long long>(threadIdx.x) << 32 | i)) wait.pause();
    return;
  }
  __shared__ unsigned next[senders];  // of the lanes that receive one sender's items here: at least this
  for (unsigned i = threadIdx.x; i < senders; i += blockDim.x) next[i] = 0;
  __syncthreads();
  hel::core::backoff wait;
  while (atomicAdd(taken, 0u) < senders * items) {
    unsigned long long item;
    if (!box->try_receive(item)) {
      wait.pause();
      continue;
    }
    atomicAdd(taken, 1u);
    const unsigned sender = item >> 32, number = static_cast<unsigned>(item);
    if (sender >= senders || number >= items) {
      atomicAdd(disorder, 1u);
      continue;
    }
    atomicAdd(&received[sender * items + number], 1u);
    atomicMax(&next[sender], number);
  }
  __syncthreads();
}

int main() {
  mailbox* box = nullptr;
  mailbox::cell* memory = nullptr;
  unsigned *received = nullptr, *counters = nullptr;
  CHECK_CUDA(cudaMalloc(&box, sizeof(mailbox)));
  CHECK_CUDA(cudaMalloc(&memory, cells * sizeof(mailbox::cell)));
  CHECK_CUDA(cudaMalloc(&received, senders * items * sizeof(unsigned)));
  CHECK_CUDA(cudaMalloc(&counters, 2 * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(received, 0, senders * items * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(counters, 0, 2 * sizeof(unsigned)));
  make<<<1, 1>>>(box, memory);
  exchange<<<3, senders>>>(box, received, counters, counters + 1);
  CHECK_CUDA(cudaDeviceSynchronize());
  std::vector<unsigned> h(senders * items);
  CHECK_CUDA(cudaMemcpy(h.data(), received, h.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (const unsigned n : h) CHECK(n == 1);
  unsigned c[2];
  CHECK_CUDA(cudaMemcpy(c, counters, sizeof c, cudaMemcpyDeviceToHost));
  CHECK(c[0] == 0 && c[1] == senders * items);
  return failures();
}
